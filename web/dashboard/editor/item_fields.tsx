// What each type of item has besides its text.
import { carrySources } from './conditions';
import { useEditing } from './editing';
import { Area, Line, Pick, Tick, Integer } from './fields';
import { type Guide, type Item, type Option, statuses } from './guide';
import { ListRows } from './list_rows';
import { newOption } from './outline';
import { te } from './words';

interface Props {
  guide: Guide;
  item: Item;
  id: string;
  screening: boolean;
}

export function ItemFields(props: Props) {
  switch (props.item.type) {
    case 'open_ended': return <OpenFields {...props} />;
    case 'multiple_choice': return <ChoiceFields {...props} />;
    case 'ranking': return <RankingFields {...props} />;
    case 'matrix': return <MatrixFields {...props} />;
    case 'max_diff': return <MaxDiffFields {...props} />;
    case 'statement': return <StatementFields {...props} />;
    default: return null;
  }
}

function OpenFields({ item, id }: Props) {
  const editing = useEditing();
  const level = item.followUp ?? 'medium';
  return (
    <>
      <div class="fields">
        <Pick label={te('followUp')} at="followUp" value={level} hint={te(level === 'none' ? 'followUpNone' : 'followUpHint')}
          options={[['none', te('followUp_none')], ['light', te('followUp_light')], ['medium', te('followUp_medium')], ['heavy', te('followUp_heavy')]]}
          onChange={(value) => editing.setItem(id, 'followUp', value)} />
        <Pick label={te('preferredInput')} at="preferredInput" value={item.preferredInput ?? ''}
          options={[['', te('input_any')], ['text', te('input_text')], ['voice', te('input_voice')], ['screenRecording', te('input_screen')], ['none', te('input_none')]]}
          onChange={(value) => editing.setItem(id, 'preferredInput', value || undefined)} />
      </div>
      {level !== 'none' && <Area label={te('addInstructions')} at="addInstructions" value={item.addInstructions} max={10_000} hint={te('addInstructionsHint')} onInput={(value) => editing.setItem(id, 'addInstructions', value)} />}
      {item.preferredInput === 'screenRecording' && <Tick label={te('screenObservation')} at="screenObservationEnabled" value={item.screenObservationEnabled} onChange={(on) => editing.setItem(id, 'screenObservationEnabled', on)} />}
    </>
  );
}

function Options({ item, id, screening, label, add, least = 1, max = 1000 }: Props & { label: string; add: string; least?: number; max?: number }) {
  const editing = useEditing();
  const options = item.options ?? [];
  const exclusive = item.type === 'multiple_choice' && item.multiSelect === true;
  const set = (next: Option[], run: string) => {
    // only the last one may exclude the others
    editing.setItem(id, 'options', next.map((option, i) => (i < next.length - 1 && option.exclusiveOption ? without(option) : option)), run);
  };
  return (
    <ListRows label={label} field="options" entries={options} textOf={({ text }) => text} addLabel={add} least={least} max={max}
      withText={(text, option) => (option ? { ...option, text } : newOption(screening, text))}
      onChange={set} onFocus={(index) => editing.focus(id, `options[${index}].text`)}
      beside={(option, index) => (
        <>
          {screening && <Pick quiet label={te('statusOf', { name: option.text || String(index + 1) })} at={`options[${index}].status`} value={option.status ?? ''} options={statuses.map((status) => [status, te(`status_${status}`)])}
            onChange={(status) => set(options.map((other, i) => (i === index ? { ...other, status } : other)), '')} />}
          {exclusive && index === options.length - 1 && (
            <label class="check" title={te('exclusiveHint')}><input type="checkbox" checked={option.exclusiveOption === true}
              onChange={(event) => set(options.map((other, i) => (i !== index ? other : event.currentTarget.checked ? { ...other, exclusiveOption: true } : without(other))), '')} />{te('exclusive')}</label>
          )}
        </>
      )} />
  );
}

const without = ({ exclusiveOption: _gone, ...option }: Option): Option => option;

/** Where the options come from: they are written here, or those that were chosen before. */
function Carried({ guide, item, id, screening }: Props) {
  const editing = useEditing();
  const sources = carrySources(guide, id);
  if (sources.length === 0 && !item.carryForwardFrom) return null;
  const choose = (source: string) => editing.edit((before) => ({
    ...before,
    studyGuide: before.studyGuide.map((block) => ({
      ...block,
      items: block.items.map((each) => {
        if (each.externalId !== id) return each;
        const { options: _options, carryForwardFrom: _from, ...rest } = each;
        return source ? { ...rest, carryForwardFrom: source } : { ...rest, options: [newOption(screening), newOption(screening)] };
      }),
    })),
  }));
  return (
    <Pick label={te('optionsFrom')} at="carryForwardFrom" value={item.carryForwardFrom ?? ''} onChange={choose}
      options={[['', te('optionsHere')], ...sources.map(({ item: source, n }) => [source.externalId ?? '', te('optionsOf', { n, text: source.text || te('noText') })] as const)]} />
  );
}

function ChoiceFields(props: Props) {
  const { item, id } = props;
  const editing = useEditing();
  const set = <F extends keyof Item>(field: F) => (value: Item[F] | undefined) => editing.setItem(id, field, value);
  const several = (on: true | undefined) => editing.edit((guide) => ({
    ...guide,
    studyGuide: guide.studyGuide.map((block) => ({
      ...block,
      items: block.items.map((each) => {
        if (each.externalId !== id) return each;
        if (on) return { ...each, multiSelect: true };
        const { multiSelect: _several, minSelect: _min, maxSelect: _max, ...rest } = each;
        return rest.options ? { ...rest, options: rest.options.map(without) } : rest;
      }),
    })),
  }));
  return (
    <>
      <Carried {...props} />
      {!item.carryForwardFrom && <Options {...props} label={te('options')} add={te('addOption')} />}
      <div class="fields ticks">
        <Tick label={te('multiSelect')} at="multiSelect" value={item.multiSelect} onChange={several} />
        <Tick label={te('allowCustom')} at="allowCustomOption" value={item.allowCustomOption} onChange={set('allowCustomOption')} />
        <Tick label={te('randomize')} at="randomizeOptionOrder" value={item.randomizeOptionOrder} onChange={set('randomizeOptionOrder')} />
        {item.randomizeOptionOrder && <Tick label={te('pinned')} at="pinnedFinalOption" value={item.pinnedFinalOption} onChange={set('pinnedFinalOption')} />}
      </div>
      {item.multiSelect && (
        <div class="fields">
          <Integer label={te('minSelect')} at="minSelect" value={item.minSelect} placeholder={te('anyNumber')} onInput={set('minSelect')} />
          <Integer label={te('maxSelect')} at="maxSelect" value={item.maxSelect} placeholder={te('anyNumber')} onInput={set('maxSelect')} />
        </div>
      )}
    </>
  );
}

function RankingFields(props: Props) {
  const editing = useEditing();
  return (
    <>
      <Carried {...props} />
      {!props.item.carryForwardFrom && <Options {...props} label={te('options')} add={te('addOption')} />}
      <Tick label={te('randomize')} at="randomizeOptionOrder" value={props.item.randomizeOptionOrder} onChange={(on) => editing.setItem(props.id, 'randomizeOptionOrder', on)} />
    </>
  );
}

function MatrixFields(props: Props) {
  const editing = useEditing();
  return (
    <div class="fields two">
      <ListRows label={te('matrixRows')} field="rows" entries={props.item.rows ?? []} textOf={({ text }) => text} withText={(text) => ({ text })} least={1} max={200} addLabel={te('addMatrixRow')}
        onChange={(rows, run) => editing.setItem(props.id, 'rows', rows, run)} onFocus={(index) => editing.focus(props.id, `rows[${index}].text`)} />
      <Options {...props} label={te('columns')} add={te('addColumn')} max={100} />
    </div>
  );
}

/** The number of screens of a MaxDiff: each option is on at least three of them, where they do not fit on one. */
export function screensOf(options: number, perScreen: number): number {
  return options <= perScreen ? 1 : Math.ceil((options * 3) / perScreen);
}

function MaxDiffFields(props: Props) {
  const { item, id } = props;
  const editing = useEditing();
  const options = item.options?.length ?? 0;
  const perScreen = Math.min(item.itemsPerScreen ?? 4, options);
  return (
    <>
      <Options {...props} label={te('options')} add={te('addOption')} least={2} max={300} />
      <div class="fields">
        <Line label={te('metric')} at="metric" value={item.metric} max={500} placeholder={te('metricExample')} hint={te('metricHint')} onInput={(value) => editing.setItem(id, 'metric', value)} />
        <Pick label={te('perScreen')} at="itemsPerScreen" value={String(item.itemsPerScreen ?? '')} options={[['', te('perScreenDefault')], ['3', '3'], ['4', '4'], ['5', '5']]}
          hint={options > 1 ? te('screens', { n: screensOf(options, perScreen), options }) : undefined} onChange={(value) => editing.setItem(id, 'itemsPerScreen', value ? Number(value) : undefined)} />
      </div>
    </>
  );
}

function StatementFields({ item, id }: Props) {
  const editing = useEditing();
  return <Line label={te('buttonText')} at="continueButtonText" value={item.continueButtonText} max={200} placeholder={te('buttonDefault')} onInput={(value) => editing.setItem(id, 'continueButtonText', value)} />;
}
