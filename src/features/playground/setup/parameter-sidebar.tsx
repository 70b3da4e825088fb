import { PanelRight, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { PARAMS, paramState, type ParamName, type Params } from '../../../conversation/params.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TierMark } from '../../../ui/tier-mark.tsx';
import { CopyParams } from './copy-params.tsx';
import { laneValues, type LaneParams } from './lane-values.ts';
import { ParameterRow } from './parameter-row.tsx';
import { TIER_MARKS } from './row-words.ts';
import { rowGroups, type View } from './shown-rows.ts';

import './setup.css';

interface ParameterSidebarProps {
  params: Params;
  onChange: (next: Params) => void;
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

const views: readonly { value: View; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'sent', label: 'Sent' },
  { value: 'portable', label: 'Portable' },
];

function sentNames(params: Params): ParamName[] {
  return PARAMS.map((row) => row.name).filter((name) => params[name]?.sent === true);
}

/** Every request field as a row of the table PARAMS: is it sent, and with what. */
export function ParameterSidebar(props: ParameterSidebarProps) {
  const { params, onChange, onReset, onClose, model, lanes, inScope, scope, presets, footer } = props;
  const [view, setView] = useState<View>('all');
  // A row that is unticked in the view of sent rows stays under the pointer until the view is chosen again.
  const [keptNames, setKeptNames] = useState<readonly ParamName[]>([]);
  const sentCount = PARAMS.filter((row) => paramState(params, row.name).state === 'sent').length;
  const differing = PARAMS.filter((row) => laneValues(lanes, row.name).length > 1).length;
  const groups = rowGroups(view, new Set([...keptNames, ...sentNames(params)]));

  return (
    <aside className="side" aria-label="Parameters" data-focus-next="[data-opens-parameters]">
      <div className="side-h">
        <h2>Parameters</h2>
        <span className="grow" />
        {presets}
        <CopyParams params={params} model={model} />
        <IconButton size="small" label="Reset all" onClick={onReset}>
          <RotateCcw className="i s" aria-hidden />
        </IconButton>
        <IconButton size="small" className="hide" label="Hide sidebar" data-harmless onClick={onClose}>
          <PanelRight className="i s" aria-hidden />
        </IconButton>
        {/* Below 600 px this is a sheet. */}
        <Button look="ink" className="done" onClick={onClose}>
          Done
        </Button>
      </div>
      {scope && (
        <div className="side-s">
          {scope}
          <span className="grow" />
          {differing > 0 && (
            <span className="st" title={inScope.length > 1 ? 'An edit here writes all lanes' : undefined}>
              ≠ {differing} differ
            </span>
          )}
        </div>
      )}
      <div className="side-s">
        <Segmented
          label="Show"
          value={view}
          choices={views}
          onChange={(chosen) => {
            setView(chosen);
            setKeptNames(sentNames(params));
          }}
        />
        <span className="grow" />
        <span className="st">
          <span className="lamp on" />
          {sentCount} of {PARAMS.length} sent
        </span>
      </div>
      <div className="side-b">
        {groups.map(({ group, rows }) => (
          <section key={group} className="pg">
            {rows[0]?.name !== group && <h3>{group}</h3>}
            {rows.map((row) => (
              <ParameterRow key={row.name} row={row} params={params} onChange={onChange} lanes={lanes} />
            ))}
          </section>
        ))}
      </div>
      {footer}
      <div className="side-f legend">
        {Object.entries(TIER_MARKS).map(([tier, { fill }]) => (
          <span key={tier}>
            <TierMark fill={fill} />
            {tier}
          </span>
        ))}
      </div>
    </aside>
  );
}
