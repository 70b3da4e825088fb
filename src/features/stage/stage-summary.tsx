import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { formatSubtitle } from '../../conversation/comparison/lane-headline.ts';
import {
  countLaneWins,
  type LaneSummary,
  type SummaryMeasure,
} from '../../conversation/comparison/summary.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { StageHead, StageTitle } from '../../ui/stage/stage-head.tsx';
import { Pips } from '../compare/summary-table.tsx';
import { useSummary } from '../compare/use-summary.ts';

/** Last scene: the number of wins per lane, with large metrics. If `laneId` is given, only for this lane. */
export function StageSummary({ laneId }: { laneId: LaneId | undefined }) {
  const summary = useSummary();
  if (!summary) return null;
  const { comparedCount, equalCount, notes, namesHidden } = summary;
  const lanes = summary.lanes.filter((lane) => laneId === undefined || lane.laneId === laneId);
  const isSmall = lanes.length > 3;
  return (
    <>
      <StageHead>
        <div className="max-h-[34vh] max-w-300 [scrollbar-width:thin] overflow-y-auto">
          <StageTitle>Which answer was better?</StageTitle>
        </div>
      </StageHead>
      <main className="min-h-0 overflow-auto">
        <table
          aria-label="Summary"
          className={`w-full border-collapse ${isSmall ? '' : '[&_.lane-tile]:size-9.5 [&_.lane-tile]:text-[22px]'}`}
        >
          <thead>
            <tr className="text-left text-15 text-ink-3 [&>th]:h-11 [&>th]:pr-5 [&>th]:pb-2 [&>th]:align-bottom [&>th]:font-450">
              <th scope="col">
                <span className="sr-only">Lane</span>
              </th>
              <th scope="col">better in</th>
              <th scope="col">time to first token</th>
              <th scope="col">speed</th>
              <th scope="col">tokens out</th>
              {lanes.some(({ schemaFit }) => schemaFit !== undefined) && <th scope="col">fits schema</th>}
            </tr>
          </thead>
          <tbody>
            {lanes.map((lane) => (
              <LaneRow
                key={lane.laneId}
                lane={lane}
                compared={comparedCount}
                isSmall={isSmall}
                namesHidden={namesHidden}
              />
            ))}
          </tbody>
        </table>
        <p className="border-t border-line-2 pt-4 text-15 text-ink-3">
          {namesHidden
            ? 'Wins and metrics are hidden until you show the names.'
            : [equalCount > 0 ? `Equal in ${equalCount} of ${comparedCount}.` : '', ...notes]
                .filter(Boolean)
                .join(' ')}
        </p>
      </main>
    </>
  );
}

interface SummaryNumberProps {
  as?: 'span' | 'td';
  isSmall: boolean;
  children: ReactNode;
}

/** Metric of a lane in large type. */
function SummaryNumber({ as: Element = 'span', isSmall, children }: SummaryNumberProps) {
  return (
    <Element className={clsx('font-550 whitespace-nowrap', isSmall ? 'text-18' : 'text-[25px]/8')}>
      {children}
    </Element>
  );
}

interface LaneRowProps {
  lane: LaneSummary;
  compared: number;
  isSmall: boolean;
  namesHidden: boolean;
}

function LaneRow({ lane, compared, isSmall, namesHidden }: LaneRowProps) {
  const renderMeasure = (measure: SummaryMeasure) =>
    measure ? (
      <>
        <SummaryNumber isSmall={isSmall}>{measure.number}</SummaryNumber>{' '}
        <small className="text-15 text-ink-3">{measure.unit}</small>
      </>
    ) : (
      <span className="text-15 text-ink-3">none</span>
    );
  return (
    <tr
      className={`lane-${lane.letter.toLowerCase()} border-t border-line-2 text-left [&>*]:pr-5 ${isSmall ? '[&>*]:py-2.5' : '[&>*]:py-6'}`}
    >
      <th scope="row">
        <span className="flex items-center gap-4">
          <LaneTile letter={lane.letter} isSmall={false} />
          <span className="min-w-0">
            <span className={`block font-600 wrap-anywhere text-lane ${isSmall ? 'text-18' : 'text-24/8'}`}>
              {lane.headline}
            </span>
            <small className="block text-15 font-450 text-ink-3">{formatSubtitle(lane)}</small>
          </span>
        </span>
      </th>
      {namesHidden ? (
        <td colSpan={5} className="text-15 text-ink-3">
          hidden
        </td>
      ) : (
        <>
          <td className="whitespace-nowrap">
            <b className={isSmall ? 'text-22' : 'text-54'}>{countLaneWins(lane)}</b>{' '}
            <small className="mr-3.5 text-15 text-ink-3">of {compared}</small>
            <Pips wins={lane.winsByTurn} large />
          </td>
          <td className="whitespace-nowrap">{renderMeasure(lane.timeToFirstToken)}</td>
          <td className="whitespace-nowrap">{renderMeasure(lane.speed)}</td>
          <SummaryNumber as="td" isSmall={isSmall}>
            {lane.tokensOut}
          </SummaryNumber>
          {lane.schemaFit !== undefined && (
            <SummaryNumber as="td" isSmall={isSmall}>
              {lane.schemaFit}
            </SummaryNumber>
          )}
        </>
      )}
    </tr>
  );
}
