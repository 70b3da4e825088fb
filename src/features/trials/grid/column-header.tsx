import { memo } from 'react';

import { describeCost, formatTotalCost } from '../../../conversation/reply/cost.ts';
import { withModelChoice } from '../../../conversation/setup/model-key.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import { getColumnLetter, trialLimits, type Column } from '../../../trials/trial.ts';
import { iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { Tag, Chip } from '../../../ui/display/tag.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { GatewayLabel } from '../../health/gateway-label.tsx';
import { ModelId } from '../../models/model-id.tsx';
import { ModelPicker } from '../../models/model-picker.tsx';
import { formatUnknownGateway } from '../format-problems.ts';
import { useOmittedFieldCount } from '../provider-fields.ts';
import { runTrial } from '../trial-handlers.ts';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { formatCopyAge } from '../verdict/format-copied.ts';
import { formatPercent } from '../verdict/rich-text.ts';
import { formatHeaderName, formatLatency, formatPassedCount } from './format-header.ts';

interface ColumnHeaderProps {
  column: Column;
  columnIndex: number;
  /** Position among the grid columns, from 1. */
  gridColumn: number;
}

/** Header of a column: model, gateway, differences, pass rate, latency and cost. */
export const ColumnHeader = memo(function ColumnHeader({
  column,
  columnIndex,
  gridColumn,
}: ColumnHeaderProps) {
  const { environment } = useAppServices();
  const trial = useTrial();
  const { trial: data, verdict, columnStats, hasAnswers, costs, unknownGateways } = useFullTrialState();
  const letter = getColumnLetter(columnIndex);
  const counts = verdict?.columns[columnIndex];
  const stats = columnStats[columnIndex];
  const baseline = data.columns.find(({ id }) => id === data.baseline);
  const isBaseline = column.id === data.baseline;
  const chips = baseline && !isBaseline ? describeSetupChanges(column, baseline) : [];
  const { model } = column.setup;
  const isDraft = data.state.name === 'draft';
  // Models can be changed in place only in a draft; later, the column has to be edited.
  const canPickModel = isDraft && !hasAnswers && !column.savedAnswers;
  const missing = stats?.missing ?? 0;
  const omittedFields = useOmittedFieldCount(column);
  const cost = costs.byColumn[columnIndex];
  const unknownGateway = unknownGateways.find((unknown) => unknown.column === columnIndex);
  const copyText = column.savedAnswers && formatCopyAge(column.savedAnswers, environment.now());
  const latency = stats && stats.answered > 0 ? formatLatency(stats) : undefined;
  return (
    <div
      role="columnheader"
      aria-colindex={gridColumn}
      aria-label={formatHeaderName(columnIndex, model, counts)}
      className={`lane-${letter.toLowerCase()} flex min-h-16 min-w-0 flex-col border-l border-line px-3.5 py-0.5 text-12 text-ink-3`}
      style={{ gridColumn }}
    >
      <div className="flex h-6 items-center gap-2 text-13 text-ink">
        <LaneTile letter={letter} isSmall={false} />
        {!canPickModel ? (
          <span className="min-w-0 truncate font-[550]" title={model}>
            <ModelId id={model} />
          </span>
        ) : (
          <span className="min-w-0 flex-auto [&_.combo]:w-full">
            <ModelPicker
              label={`Model, column ${letter}`}
              kind="chat"
              value={column.setup}
              onPick={(choice) => trial.setSetup(column.id, withModelChoice(column.setup, choice))}
            />
          </span>
        )}
        <GatewayLabel name={column.setup.gateway} />
        {!canPickModel && <span className="grow" />}
        {column.stopped && <span className="font-[550] whitespace-nowrap text-err-ink">stopped</span>}
        <ColumnMenu column={column} letter={letter} isBaseline={isBaseline} />
      </div>
      {unknownGateway && <p className="text-pretty text-err-ink">{formatUnknownGateway(unknownGateway)}</p>}
      <div className="flex h-5 items-center gap-2 overflow-hidden whitespace-nowrap">
        {counts?.rate && (
          <span>
            <b className="font-[650] text-ink">{formatPercent(counts.rate.rate)} %</b>{' '}
            {formatPassedCount(counts)}
          </span>
        )}
        {missing > 0 && (
          <span className="shrink-0 font-[550] text-warn-ink">{formatCount(missing)} missing</span>
        )}
        {isBaseline && data.columns.length > 1 && <Tag>baseline</Tag>}
        {copyText !== undefined && (
          <span className="truncate" title={copyText}>
            {copyText}
          </span>
        )}
        {chips.map((chip) => (
          <Chip key={chip} isDifferent isTruncated title={chip}>
            {chip}
          </Chip>
        ))}
        {omittedFields > 0 && (
          <span
            className="shrink-0 text-11"
            title="Case histories contain fields that only their original model accepts."
          >
            {pluralize(omittedFields, 'provider field')} not sent
          </span>
        )}
      </div>
      {!isDraft && (
        // Metrics that do not fit wrap to a hidden line, so that no number is cut off.
        <div
          className="@container flex h-4 flex-wrap gap-x-3 overflow-hidden text-11 whitespace-nowrap"
          title={latency?.tail}
        >
          {latency && latency.median !== '' && (
            <span>
              <span className="@max-[220px]:hidden">Median </span>TTFT{' '}
              <b className="font-[550] text-ink-2">{latency.median}</b>
            </span>
          )}
          {cost && (
            <span title={describeCost(cost)}>
              Cost <b className="font-[550] text-ink-2">{formatTotalCost(cost)}</b>
            </span>
          )}
          {latency && <span>{latency.tail}</span>}
        </div>
      )}
    </div>
  );
});

function ColumnMenu({ column, letter, isBaseline }: { column: Column; letter: string; isBaseline: boolean }) {
  const { notices } = useAppServices();

  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const isFull = data.columns.length >= trialLimits.columns;
  const items: MenuItem[] = [
    { label: 'Edit', onPick: () => view.setState({ panel: { name: 'column', id: column.id } }) },
    {
      label: 'Duplicate',
      onPick: () => void trial.duplicateColumn(column.id),
      ...(isFull ? { disabledReason: `At most ${trialLimits.columns} columns` } : {}),
    },
    {
      label: 'Use as baseline',
      onPick: () => trial.edit({ baseline: column.id }),
      ...(isBaseline ? { disabledReason: 'Already the baseline' } : {}),
    },
    {
      label: 'Try again',
      onPick: () => {
        trial.restartColumn(column.id);
        if (data.state.name === 'paused') runTrial({ notices }, trial);
      },
      ...(column.stopped ? {} : { disabledReason: 'Only for stopped columns' }),
    },
    {
      label: 'Remove',
      isDestructive: true,
      startsGroup: true,
      onPick: () => trial.removeColumn(column.id),
      ...(data.columns.length === 1 ? { disabledReason: 'A trial needs at least one column' } : {}),
    },
  ];
  return (
    <Menu label={`Column ${letter} menu`} items={items} className={iconButtonVariants({ size: 'small' })} />
  );
}
