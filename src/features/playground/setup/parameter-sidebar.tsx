import { Check, ChevronDown, Copy, PanelRight, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import {
  fieldsOf,
  PARAMS,
  paramState,
  type ParamName,
  type ParamRow,
  type Params,
} from '../../../conversation/setup/params.ts';
import { Button, buttonLook } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Legend } from '../../../ui/display/card.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { TierMark } from '../../../ui/display/tier-mark.tsx';
import { focusNext } from '../../../ui/focus/places.ts';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { parametersHide, parametersShow } from '../places.ts';
import { laneValues, type EditParams, type LaneParams } from './lane-values.ts';
import { ParameterRow } from './parameter-row.tsx';
import { TIER_MARKS } from './row-words.ts';
import { SidebarFrame } from './sidebar-frame.tsx';

import './setup.css';

interface ParameterSidebarProps {
  params: Params;
  onEdit: EditParams;
  /** Takes every field out that need not be sent. */
  onReset: () => void;
  onClose: () => void;
  /** The model that the parameters are for. */
  model: string;
  /** All lanes with their letters, where there are several: what differs between them is flagged. */
  lanes: readonly LaneParams[];
  /** Letters of the lanes that an edit writes to. */
  inScope: readonly string[];
  /** Chooses what is in scope. */
  scope?: ReactNode;
  /** In the header, before its buttons. */
  presets?: ReactNode;
  /** Above the legend. */
  footer?: ReactNode;
}

const views: Record<View, string> = {
  all: 'Every field',
  sent: 'Sent',
  portable: 'Portable',
  differs: 'Differs',
};

/** Rows that one of these lanes at least has ticked. */
function sentNames(lanes: readonly Params[]): ParamName[] {
  return PARAMS.map((row) => row.name).filter((name) =>
    lanes.some((params) => paramState(params, name).state !== 'unset'),
  );
}

const nothingWords: Record<View, string> = {
  all: '',
  sent: 'No fields are sent.',
  portable: '',
  differs: 'No fields differ.',
};

/** Every request field as a row of the table PARAMS: is it sent, and with what. */
export function ParameterSidebar(props: ParameterSidebarProps) {
  const { params, onEdit, onReset, onClose, model, lanes, inScope, scope, presets, footer } = props;
  const [view, setView] = useState<View>('all');
  // A row that is unticked in the view of sent rows stays under the pointer until the view is chosen again.
  const [keptNames, setKeptNames] = useState<readonly ParamName[]>([]);
  const edited =
    inScope.length > 1
      ? lanes.filter(({ letter }) => inScope.includes(letter)).map((lane) => lane.params)
      : [params];
  const sentCount = PARAMS.filter((row) =>
    edited.some((each) => paramState(each, row.name).state === 'sent'),
  ).length;
  const differing = PARAMS.map((row) => row.name).filter((name) => laneValues(lanes, name).length > 1);
  const namesOf = (of: View) => (of === 'differs' ? differing : sentNames(edited));
  const groups = rowGroups(view, new Set([...keptNames, ...namesOf(view)]));
  const shownViews: View[] =
    lanes.length > 1 ? ['all', 'sent', 'portable', 'differs'] : ['all', 'sent', 'portable'];
  const hints: Partial<Record<View, string>> = {
    sent: `${sentCount} of ${PARAMS.length}`,
    differs: String(differing.length),
  };

  return (
    <SidebarFrame aria-label="Parameters" data-region data-sheet {...focusNext(parametersShow)}>
      <div className="side-h" data-sheet-grip>
        <h2>Parameters</h2>
        <span className="grow" />
        {presets}
        <CopyParams params={params} model={model} />
        <IconButton size="small" label="Reset all" onClick={onReset}>
          <RotateCcw className="i s" aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          className="hide"
          label="Hide sidebar"
          data-harmless
          {...parametersHide.here}
          onClick={onClose}
        >
          <PanelRight className="i s" aria-hidden />
        </IconButton>
        {/* Below 600 px this is a sheet. */}
        <Button look="ink" className="done" data-sheet-start onClick={onClose}>
          Done
        </Button>
      </div>
      <div className="side-s">
        {scope || (
          <span className="st">
            <span className="size-2.5 flex-none rounded-[2.5px] bg-ink forced-colors:bg-[Highlight]" />
            {sentCount} of {PARAMS.length} sent
          </span>
        )}
        <Menu
          label={`Fields shown: ${views[view].toLowerCase()}`}
          className={buttonLook({ look: 'quiet' })}
          items={shownViews.map((of) => ({
            label: views[of],
            icon: of === view ? <Check className="i s" aria-hidden /> : <span className="i s" />,
            ...(hints[of] === undefined ? {} : { hint: hints[of] }),
            onPick: () => {
              setView(of);
              setKeptNames(namesOf(of));
            },
          }))}
        >
          {views[view]}
          <ChevronDown className="i s" aria-hidden />
        </Menu>
      </div>
      <div className="side-b">
        {groups.length === 0 && <p className="pg hint">{nothingWords[view]}</p>}
        {groups.map(({ group, rows }) => (
          <section key={group} className="pg">
            {rows[0]?.name !== group && <h3>{group}</h3>}
            {rows.map((row) => (
              <ParameterRow
                key={row.name}
                row={row}
                params={params}
                lanes={lanes}
                inScope={inScope}
                onEdit={onEdit}
              />
            ))}
          </section>
        ))}
      </div>
      {footer}
      <Legend className="side-f">
        {Object.entries(TIER_MARKS).map(([tier, { fill }]) => (
          <span key={tier}>
            <TierMark fill={fill} />
            {tier}
          </span>
        ))}
      </Legend>
    </SidebarFrame>
  );
}

const outcomes = {
  none: 'Copy as JSON',
  copied: 'Copied',
  refused: 'The browser did not allow copying',
};

/** Copies the model and the fields that are sent, as they go into the body. */
function CopyParams({ params, model }: { params: Params; model: string }) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes>('none');
  const announce = useAnnounce();

  const copy = async () => {
    const body = JSON.stringify({ model, ...fieldsOf(params) }, null, 2);
    const ended = (await copyText(body)) ? 'copied' : 'refused';
    setOutcome(ended);
    announce(`${outcomes[ended]}.`);
  };

  return (
    <span className="flex" onPointerLeave={() => setOutcome('none')} onBlur={() => setOutcome('none')}>
      <IconButton size="small" label="Copy as JSON" tip={outcomes[outcome]} onClick={() => void copy()}>
        {outcome === 'copied' ? <Check className="i s" aria-hidden /> : <Copy className="i s" aria-hidden />}
      </IconButton>
    </span>
  );
}

type View = 'all' | 'sent' | 'portable' | 'differs';

/** The rows of a view under their headings, in the order of the table. `named`: those of the view of sent or of differing rows. */
function rowGroups(
  view: View,
  named: ReadonlySet<ParamName>,
): { group: ParamRow['group']; rows: ParamRow[] }[] {
  const groups: { group: ParamRow['group']; rows: ParamRow[] }[] = [];
  for (const row of PARAMS) {
    const isShown = view === 'all' || (view === 'portable' ? row.tier === 'portable' : named.has(row.name));
    if (!isShown) continue;
    const last = groups.at(-1);
    if (last?.group === row.group) last.rows.push(row);
    else groups.push({ group: row.group, rows: [row] });
  }
  return groups;
}
