import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';

import {
  buildRequestFields,
  PARAMS,
  getParamState,
  type ParamName,
  type ParamRow,
  type Params,
} from '../../conversation/setup/params.ts';
import { formatExactJson } from '../../lib/exact-json.ts';
import { Button, buttonVariants } from '../../ui/controls/button.tsx';
import { Hint } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Legend } from '../../ui/display/card.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { CheckIcon, ChevronDown, PanelRight } from '../../ui/icons.tsx';
import { Copy, RotateCcw } from '../../ui/late-icons.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { hideParametersButton, showParametersButton } from '../workspace/playground-focus-targets.ts';
import type { FieldRemark } from './field-remarks.ts';
import { TIER_MARKS } from './format-row.ts';
import { groupLaneValues, type EditParams, type LaneParams } from './lane-values.ts';
import { ParameterRow } from './parameter-row.tsx';
import { SidebarFrame } from './sidebar-frame.tsx';

interface ParameterSidebarProps {
  params: Params;
  onEdit: EditParams;
  /** Removes every field that is not required. */
  onReset: () => void;
  onClose: () => void;
  /** Model to which the parameters apply. */
  model: string;
  /** All lanes with their letters, if there are several; differences are flagged. */
  lanes: readonly LaneParams[];
  /** Letters of the lanes changed by an edit. */
  scopeLetters: readonly string[];
  /** True for the demo gateway, whose default values are known. */
  isDemo?: boolean;
  /** Returns the remark on how the models in scope treat a row's field. */
  getRemark?: (name: ParamName) => FieldRemark | undefined;
  /** Sends a field again to models that rejected it. */
  onAllow?: (name: ParamName) => void;
  /** Selector of the lanes in scope. */
  scope?: ReactNode;
  /** Content after the Reasoning rows, shown only in the view of all rows. */
  afterReasoning?: ReactNode;
  /** Content of the header before its buttons. */
  presets?: ReactNode;
  /** Content above the legend. */
  footer?: ReactNode;
  /** Classes for the position, never for the style. */
  className?: string;
}

const viewLabels: Record<ParameterView, string> = {
  all: 'All fields',
  sent: 'Sent',
  portable: 'Portable',
  differs: 'Differing',
};

/** Returns the rows that are enabled in at least one of these lanes. */
function listSentNames(lanes: readonly Params[]): ParamName[] {
  return PARAMS.map((row) => row.name).filter((name) =>
    lanes.some((params) => getParamState(params, name).state !== 'unset'),
  );
}

const emptyTexts: Record<ParameterView, string> = {
  all: '',
  sent: 'No fields are sent.',
  portable: '',
  differs: 'No fields differ.',
};

/** Sidebar with a row for every request field in the table PARAMS: whether the field is sent, and its value. */
export function ParameterSidebar(props: ParameterSidebarProps) {
  const { params, onEdit, onReset, onClose, model, lanes, scopeLetters, scope, presets, footer, className } =
    props;
  const { isDemo = false, getRemark, onAllow, afterReasoning } = props;
  const [view, setView] = useState<ParameterView>('all');
  // In the view of sent rows, a row that is disabled stays in place until the view is selected again.
  const [keptNames, setKeptNames] = useState<readonly ParamName[]>([]);
  const editedParams =
    scopeLetters.length > 1
      ? lanes.filter(({ letter }) => scopeLetters.includes(letter)).map((lane) => lane.params)
      : [params];
  const sentCount = PARAMS.filter((row) =>
    editedParams.some((laneParams) => getParamState(laneParams, row.name).state === 'sent'),
  ).length;
  const differingNames = PARAMS.map((row) => row.name).filter(
    (name) => groupLaneValues(lanes, name).length > 1,
  );
  const listNames = (viewName: ParameterView) =>
    viewName === 'differs' ? differingNames : listSentNames(editedParams);
  const groups = groupVisibleRows(view, new Set([...keptNames, ...listNames(view)]));
  const availableViews: ParameterView[] =
    lanes.length > 1 ? ['all', 'sent', 'portable', 'differs'] : ['all', 'sent', 'portable'];
  const hints: Partial<Record<ParameterView, string>> = {
    sent: `${sentCount} of ${PARAMS.length}`,
    differs: String(differingNames.length),
  };

  return (
    <SidebarFrame
      className={className}
      style={{ '--small-icon': '44px' }}
      aria-label="Parameters"
      data-region
      data-sheet
      {...getNextFocusAttributes(showParametersButton)}
    >
      <div
        className={clsx(
          'relative flex h-11 flex-none items-center gap-2 border-b border-line pr-2.5 pl-4',
          'max-phone:h-16 max-phone:cursor-grab max-phone:touch-none max-phone:gap-0 max-phone:border-0',
          'max-phone:pt-3 max-phone:pl-5',
          // On phones the icons are close together, because each is as large as a touch target.
          'max-phone:[&_button[aria-label]]:-mx-1',
        )}
        data-sheet-grip
      >
        {/* Handle of the sheet; below 600 px the sidebar is a sheet. */}
        <span className="absolute inset-x-0 top-2 mx-auto h-1 w-9 rounded-[2px] bg-edge phone:hidden" />
        <h2 className="truncate text-13 font-600 max-phone:text-18 max-phone:tracking-[-0.008em]">
          Parameters
        </h2>
        <span className="flex-1" />
        {presets}
        <CopyParams params={params} model={model} />
        <IconButton size="small" label="Reset all" onClick={onReset}>
          <RotateCcw className="icon-14" aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          className="max-phone:hidden"
          label="Hide sidebar"
          {...hideParametersButton.attributes}
          onClick={onClose}
        >
          <PanelRight className="icon-14" aria-hidden />
        </IconButton>
        <Button variant="primary" className="ml-1 phone:hidden" data-sheet-start onClick={onClose}>
          Done
        </Button>
      </div>
      <div className="flex flex-none flex-wrap items-center gap-x-2.5 gap-y-0.5 px-4 pt-2.5 pb-2 max-phone:py-1">
        {scope || (
          <StatusLabel
            tone="plain"
            icon={<span className="size-2.5 flex-none rounded-[2.5px] bg-ink forced-colors:bg-[Highlight]" />}
          >
            {sentCount} of {PARAMS.length} sent
          </StatusLabel>
        )}
        <Menu
          label={`Show: ${viewLabels[view].toLowerCase()}`}
          className={clsx(buttonVariants({ variant: 'ghost' }), 'ml-auto')}
          items={availableViews.map((viewName) => ({
            label: viewLabels[viewName],
            icon:
              viewName === view ? (
                <CheckIcon className="icon-14" aria-hidden />
              ) : (
                <span className="icon-14" />
              ),
            ...(hints[viewName] === undefined ? {} : { hint: hints[viewName] }),
            onPick: () => {
              setView(viewName);
              setKeptNames(listNames(viewName));
            },
          }))}
        >
          <span className="text-[12px]">{viewLabels[view]}</span>
          <ChevronDown className="icon-14" aria-hidden />
        </Menu>
      </div>
      <div className="@container/parameters min-h-0 flex-1 [scrollbar-width:thin] [scrollbar-color:var(--line-2)_transparent] overflow-y-auto overscroll-contain border-line pb-2 max-phone:border-t">
        {groups.length === 0 && <Hint className="px-4 max-phone:p-0">{emptyTexts[view]}</Hint>}
        {groups.map(({ group, rows }, index) => (
          <section
            key={group}
            className={clsx(
              // On phones, the rows extend to the edges of the screen.
              'px-4 max-phone:m-0 max-phone:border-0 max-phone:p-0',
              index > 0 && 'mt-1 border-t border-line pt-1',
            )}
          >
            {rows[0]?.name !== group && (
              <h3 className="pt-1.5 pb-0.75 text-11 text-ink-3 max-phone:px-4 max-phone:pt-2.5 max-phone:pb-0.5 max-phone:text-[12px]">
                {group}
              </h3>
            )}
            {rows.map((row) => (
              <ParameterRow
                key={row.name}
                row={isDemo ? row : withoutDefault(row)}
                params={params}
                lanes={lanes}
                scopeLetters={scopeLetters}
                onEdit={onEdit}
                remark={getRemark?.(row.name)}
                onAllow={onAllow && (() => onAllow(row.name))}
              />
            ))}
            {group === 'Reasoning' && view === 'all' && afterReasoning}
          </section>
        ))}
      </div>
      {footer}
      <Legend className="flex-none border-t border-line px-4 py-2.5 max-phone:px-5 max-phone:pb-4 max-phone:text-[12px]">
        {Object.entries(TIER_MARKS).map(([tier, { fill, label }]) => (
          <span key={tier} title={label}>
            <TierMark fill={fill} />
            {tier}
          </span>
        ))}
      </Legend>
    </SidebarFrame>
  );
}

/** Removes the default from a row: only that of the demo gateway is known. */
function withoutDefault({ demoDefault: _, ...row }: ParamRow): ParamRow {
  return row;
}

const outcomeLabels = {
  none: 'Copy as JSON',
  copied: 'Copied',
  refused: 'The browser blocked copying',
};

/** Button that copies the model and the sent fields as they appear in the body. */
function CopyParams({ params, model }: { params: Params; model: string }) {
  const [outcome, setOutcome] = useState<keyof typeof outcomeLabels>('none');
  const announce = useAnnounce();

  const copy = async () => {
    const body = formatExactJson({ model, ...buildRequestFields(params) });
    const result = (await copyText(body)) ? 'copied' : 'refused';
    setOutcome(result);
    announce(`${outcomeLabels[result]}.`);
  };

  return (
    <span className="flex" onPointerLeave={() => setOutcome('none')} onBlur={() => setOutcome('none')}>
      <IconButton size="small" label="Copy as JSON" tip={outcomeLabels[outcome]} onClick={() => void copy()}>
        {outcome === 'copied' ? (
          <CheckIcon className="icon-14" aria-hidden />
        ) : (
          <Copy className="icon-14" aria-hidden />
        )}
      </IconButton>
    </span>
  );
}

type ParameterView = 'all' | 'sent' | 'portable' | 'differs';

/**
 * Groups the rows of a view under their headings, in table order. `visibleNames` are the rows of the "sent" or
 * "differing" view.
 */
function groupVisibleRows(
  view: ParameterView,
  visibleNames: ReadonlySet<ParamName>,
): { group: ParamRow['group']; rows: ParamRow[] }[] {
  const groups: { group: ParamRow['group']; rows: ParamRow[] }[] = [];
  for (const row of PARAMS) {
    const isVisible =
      view === 'all' || (view === 'portable' ? row.tier === 'portable' : visibleNames.has(row.name));
    if (!isVisible) continue;
    const last = groups.at(-1);
    if (last?.group === row.group) last.rows.push(row);
    else groups.push({ group: row.group, rows: [row] });
  }
  return groups;
}
