import { useEditing } from './editing';
import { allItems } from './guide';
import { problemText } from './problem_text';
import { cardOf, fieldOf, type Problem } from './problems';
import { Icon } from '../parts/icon';
import { counte, te } from './words';

/** All problems, errors first. Each leads to its field. */
export function ProblemPanel({ problems }: { problems: readonly Problem[] }) {
  const editing = useEditing();
  const numbers = new Map(allItems(editing.copy.guide.value).map(({ item, n }) => [item.externalId, n]));
  const errors = problems.filter(({ severity }) => severity === 'error');
  const where = (problem: Problem) => {
    const n = numbers.get(cardOf(problem));
    return n ? te('questionN', { n }) : problem.conceptId ? te('concept') : problem.blockId ? te('block') : te('settings');
  };
  if (problems.length === 0) return <p class="good"><Icon name="check" /> {te('noProblems')}</p>;
  return (
    <>
      <p>{errors.length > 0 ? counte('errorsBlock', errors.length) : te('onlyAdvice')}</p>
      <ul class="problems">
        {[...errors, ...problems.filter(({ severity }) => severity !== 'error')].map((problem) => (
          <li key={problem.pointer + problem.message}>
            <button type="button" class="quiet" aria-current={editing.problem.value === problem ? 'true' : undefined} onClick={() => showProblem(editing, problem)}>
              <span class={problem.severity === 'error' ? 'badge wrong' : 'badge warn'}>{te(problem.severity === 'error' ? 'error' : 'advice')}</span>
              <span><b>{where(problem)}</b> {problemText(problem)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="soft small">{te('f8')}</p>
    </>
  );
}

/** Opens the card of a problem and moves the focus to its field. */
export function showProblem(editing: ReturnType<typeof useEditing>, problem: Problem): void {
  editing.problem.value = problem;
  const block = problem.itemId === null && problem.conceptId === null && problem.blockId !== null;
  if (block) editing.focus(cardOf(problem), fieldOf(problem.pointer) || 'title');
  else editing.go(cardOf(problem), fieldOf(problem.pointer));
}
