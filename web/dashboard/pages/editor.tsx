import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf, type Schemas } from '../api';
import { BlockCard, conditionsOf, dependents } from '../editor/block_card';
import { Disputes } from '../editor/disputes';
import { Editing, EditingContext, settings } from '../editor/editing';
import { HistoryPanel } from '../editor/history_panel';
import { JsonPanel } from '../editor/json_panel';
import { useEditorKeys } from '../editor/keys';
import { conceptsOf } from '../editor/guide';
import { openLocal } from '../editor/local';
import { AddBlocks, OutlineList } from '../editor/outline_list';
import { PreviewPanel } from '../editor/preview_panel';
import { Presence } from '../editor/presence';
import { ProblemPanel } from '../editor/problem_panel';
import { byCard } from '../editor/problems';
import { Removal } from '../editor/removal';
import { reveal } from '../editor/reveal';
import { SaveWords } from '../editor/save_words';
import { draftOf } from '../editor/server';
import { SettingsCard } from '../editor/settings_card';
import { counte, type EditorKey, te } from '../editor/words';
import { Icon } from '../parts/icon';
import { FailureBox, Loaded, Skeleton } from '../parts/loaded';
import { decode } from '../parts/shell';
import { StudyHead } from '../parts/study_head';
import { useStudyPage } from '../parts/study_page';
import { useMe } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { useShortcuts } from '../state/shortcuts';
import { t } from '../words';

const refreshEvery = 15_000;

/** The guide of a study, as it is written. */
export function Editor() {
  const { study } = useStudyPage();
  return <Loaded page of={study} what={t('whatStudy')}>{(detail) => <Opening key={detail.study.id} detail={detail} />}</Loaded>;
}

// Opening reads the working copy, and what this browser has kept of it.
function Opening({ detail }: { detail: Schemas['StudyDetail'] }) {
  const me = useMe();
  const person = me.data?.user.id;
  const { linkId, id } = detail.study;
  const [editing, setEditing] = useState<Editing | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!person) return undefined;
    let left = false;
    let made: Editing | null = null;
    const begin = async () => {
      const local = await openLocal(id, person);
      made = new Editing(draftOf(linkId), local, linkId, detail.mayChange);
      await made.copy.begin();
      if (!left) setEditing(made);
    };
    begin().catch((error: unknown) => setFailure(failureOf(error)));
    return () => {
      left = true;
      void made?.copy.end().then((saved) => {
        if (!saved) notify(te('leftUnsaved'));
        for (const name of ['studies', 'study', 'launch-check', 'changes']) void cache.invalidateQueries({ queryKey: [name] });
      });
    };
  }, [linkId, id, person, detail.mayChange, tries]);
  if (!editing) {
    return (
      <>
        <StudyHead detail={detail} here="edit" />
        {failure ? <FailureBox failure={failure} what={te('whatGuide')} retry={() => { setFailure(null); setTries(tries + 1); return Promise.resolve(); }} /> : <Skeleton rows={6} />}
      </>
    );
  }
  return <EditingContext.Provider value={editing}><Opened detail={detail} editing={editing} /></EditingContext.Provider>;
}

// useAutosave saves and reads at the right times, for as long as the editor is open.
function useAutosave(editing: Editing): void {
  const { copy, local } = editing;
  useEffect(() => {
    const refresh = () => { if (document.visibilityState === 'visible') copy.refresh().catch(() => {}); };
    const back = () => copy.again();
    const leave = (event: BeforeUnloadEvent) => { if ((!local.works && copy.dirty) || editing.uploads.all.value.some(({ state }) => state !== 'failed')) event.preventDefault(); };
    const hide = () => { if (document.visibilityState === 'hidden') void copy.flush(); };
    const timer = setInterval(refresh, refreshEvery);
    addEventListener('online', back);
    addEventListener('focus', refresh);
    addEventListener('beforeunload', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearInterval(timer);
      removeEventListener('online', back);
      removeEventListener('focus', refresh);
      removeEventListener('beforeunload', leave);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [copy, local, editing]);
}

// useAddress lets the address name the open card, and moves the focus where it is to go.
function useAddress(editing: Editing): void {
  const open = editing.open.value;
  const goal = editing.goal.value;
  useEffect(() => {
    const id = decode(location.hash.slice(1));
    if (id) editing.go(id === 'settings' ? settings : id);
    else if (!editing.copy.guide.value.studyGoal) editing.open.value = settings;
  }, [editing]);
  useEffect(() => {
    if (open !== null) history.replaceState(history.state, '', open === settings ? location.pathname : `#${encodeURIComponent(open)}`);
  }, [open]);
  useEffect(() => { if (goal) reveal(goal); }, [goal]);
}

// useSame returns the map of before while it has the same entries, so that what is drawn of it is not drawn again.
function useSame(now: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = useRef(now);
  if (kept.current !== now && (kept.current.size !== now.size || [...now].some(([key, value]) => kept.current.get(key) !== value))) kept.current = now;
  return kept.current;
}

const panels = ['problems', 'preview', 'json', 'history'] as const;
type Panel = (typeof panels)[number];
const none = [] as const;

function Opened({ detail, editing }: { detail: Schemas['StudyDetail']; editing: Editing }) {
  const { copy } = editing;
  const guide = copy.guide.value;
  const problems = copy.problems.value;
  const open = editing.open.value;
  const wide = useMemo(() => matchMedia('(min-width: 64rem)').matches, []);
  const [panel, setPanel] = useState<Panel | null>(wide ? 'problems' : null);
  const cards = useMemo(() => byCard(problems), [problems]);
  const usedBy = useSame(useMemo(() => dependents(guide), [guide]));
  const conditions = useSame(useMemo(() => conditionsOf(guide), [guide]));
  useAutosave(editing);
  useAddress(editing);
  useEditorKeys(editing);
  useShortcuts([{ key: 'f8', label: te('keyProblem'), run: () => {} }, { key: 'ctrl+z', label: te('keyUndo'), run: () => {} }, { key: 'alt+↑↓', label: te('keyMove'), run: () => {} }]);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const path = `/p/${encodeURIComponent(detail.study.linkId)}`;
  let before = 0;
  return (
    <>
      <StudyHead detail={detail} here="edit" title={guide.title || t('untitled')} />
      <div class="editor-bar">
        <SaveWords copy={copy} keeps={editing.local.works} />
        {copy.unpublished.value && detail.study.state !== 'draft' && <a class="badge warn" href={`${path}/launch`}>{te('unpublished')}</a>}
        <Presence editing={editing} />
        <span class="push row">
          {(guide.config?.availableLanguages?.length ?? 0) > 0 && <a class="button" href={`${path}/edit/translations`}>{te('translations')}</a>}
          {editing.mayChange && (
            <>
              <button type="button" class="quiet" disabled={copy.undoable.value.done.length === 0} title="Ctrl+Z" onClick={() => copy.undo()}>{t('undo')}</button>
              <button type="button" class="quiet" disabled={copy.undoable.value.undone.length === 0} title="Ctrl+Shift+Z" onClick={() => copy.redo()}>{te('redo')}</button>
            </>
          )}
          {panels.map((name) => (
            <button key={name} type="button" class={panel === name ? 'panel-button on' : 'panel-button'} aria-expanded={panel === name} onClick={() => setPanel(panel === name ? null : name)}>
              {te(`panel_${name}` satisfies EditorKey)}{name === 'problems' && problems.length > 0 && <span class={errors > 0 ? 'badge wrong' : 'badge warn'}>{errors || problems.length}</span>}
            </button>
          ))}
          <a class="button primary" href={`${path}/launch`}>{t('launchTab')}</a>
        </span>
      </div>
      {!editing.mayChange && <p class="badge warn">{te('readOnly')}</p>}
      <Notes editing={editing} />
      <Disputes disputes={copy.disputes.value} />
      <div class={panel ? `editor with-panel of-${panel}` : 'editor'}>
        <details class="outline" open={wide}>
          <summary>{te('outline')}</summary>
          <nav aria-label={te('outline')}><OutlineList guide={guide} open={open} problems={cards} /></nav>
        </details>
        <div class="cards">
          <SettingsCard guide={guide} open={open === settings} problems={cards.get('') ?? none} />
          {guide.studyGuide.map((block, b) => {
            const from = before;
            before += block.items.length;
            const inside = open !== null && open !== settings && (block.items.some(({ externalId }) => externalId === open) || conceptsOf(block).some(({ externalId }) => externalId === open));
            return <BlockCard key={block.externalId ?? b} guide={inside ? guide : null} block={block} b={b} blocks={guide.studyGuide.length} before={from} open={inside ? open : null} conditions={conditions} problems={cards} usedBy={usedBy} />;
          })}
          {editing.mayChange && <AddBlocks guide={guide} />}
        </div>
        {panel && (
          <section class="panel" aria-labelledby="panel">
            <header><h2 id="panel">{te(`panel_${panel}` satisfies EditorKey)}</h2><button type="button" class="quiet square" aria-label={t('close')} onClick={() => setPanel(null)}><Icon name="cross" /></button></header>
            {panel === 'problems' && <ProblemPanel problems={problems} />}
            {panel === 'preview' && <PreviewPanel />}
            {panel === 'json' && <JsonPanel />}
            {panel === 'history' && <HistoryPanel />}
          </section>
        )}
      </div>
      {editing.removing.value !== null && <Removal id={editing.removing.value} />}
    </>
  );
}

// Notes says what others have changed, and what an undo has left.
function Notes({ editing }: { editing: Editing }) {
  const { others, left } = editing.copy;
  return (
    <div role="status" class="notes">
      {others.value && (
        <p><span dir="auto">{counte('othersChanged', others.value.changes, { name: others.value.name || te('aProgram') })}</span> <button type="button" class="quiet" onClick={() => { others.value = null; }}>{t('dismiss')}</button></p>
      )}
      {left.value > 0 && <p>{te('undoLeft')} <button type="button" class="quiet" onClick={() => { left.value = 0; }}>{t('dismiss')}</button></p>}
    </div>
  );
}
