import type { ReactNode } from 'react';

import {
  countLaneWins,
  hasKnownCost,
  hasMarkedAnswers,
  hasSeveralGateways,
  type LaneSummary,
  type SessionSummary,
  type SummaryMeasure,
} from '../../conversation/comparison/summary.ts';
import { formatTotalCost } from '../../conversation/reply/cost.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { Chip } from '../../ui/display/tag.tsx';

/** Lanes of a summary, one row each, then the number of ties. */
export function SummaryTable({ summary }: { summary: SessionSummary }) {
  const { lanes, comparedCount, equalCount, notes, namesHidden } = summary;
  const hasSchemaFit = lanes.some(({ schemaFit }) => schemaFit !== undefined);
  const hasGateway = hasSeveralGateways(lanes);
  const hasCost = hasKnownCost(lanes);
  const hasMarks = hasMarkedAnswers(lanes);
  return (
    <table aria-label="Summary" className="w-full border-collapse text-13">
      <thead>
        <tr className="text-11 text-ink-3 [&>th]:pr-5 [&>th]:pb-2 [&>th]:text-left [&>th]:align-bottom [&>th]:font-450">
          <th scope="col">Lane</th>
          {hasGateway && <th scope="col">Gateway</th>}
          <th scope="col">Better in</th>
          {hasMarks && <th scope="col">Good / bad</th>}
          <th scope="col">
            TTFT
            <br />
            median
          </th>
          <th scope="col">
            Speed
            <br />
            median
          </th>
          <th scope="col">
            Tokens
            <br />
            in / out
          </th>
          {hasCost && <th scope="col">Cost</th>}
          <th scope="col">Finish</th>
          {hasSchemaFit && <th scope="col">Fits schema</th>}
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <LaneRow
            key={lane.laneId}
            lane={lane}
            summary={summary}
            hasGateway={hasGateway}
            hasSchemaFit={hasSchemaFit}
            hasCost={hasCost}
            hasMarks={hasMarks}
          />
        ))}
        {lanes.length > 1 && (
          <tr className="border-y border-line [&>*]:py-1.5 [&>*]:pr-5 [&>*]:text-left [&>*]:font-450">
            <th scope="row" colSpan={1 + Number(hasGateway)}>
              Equal
            </th>
            <td>
              <b className="font-600">{equalCount}</b> of {comparedCount}
            </td>
            <td
              colSpan={4 + Number(hasMarks) + Number(hasCost) + Number(hasSchemaFit)}
              className="text-ink-3"
            >
              {namesHidden ? 'Wins and metrics are hidden until you show the names.' : notes[0]}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface LaneRowProps {
  lane: LaneSummary;
  summary: SessionSummary;
  hasGateway: boolean;
  hasSchemaFit: boolean;
  hasCost: boolean;
  hasMarks: boolean;
}

function LaneRow({ lane, summary, hasGateway, hasSchemaFit, hasCost, hasMarks }: LaneRowProps) {
  const { comparedCount, namesHidden } = summary;
  const renderUnlessHidden = (content: ReactNode) =>
    namesHidden ? <span className="text-ink-3">hidden</span> : content;
  return (
    <tr
      className={`lane-${lane.letter.toLowerCase()} border-t border-line-2 [&>*]:py-1.5 [&>*]:pr-5 [&>*]:text-left [&>td]:whitespace-nowrap`}
    >
      <th scope="row" className="min-w-30 font-450">
        <span className="flex items-center gap-2.5">
          <LaneTile letter={lane.letter} isSmall={false} />
          <span className="sr-only">Lane {lane.letter}, </span>
          <span className="min-w-0">
            {lane.name !== undefined && (
              <b className="block font-600 wrap-anywhere" dir="auto">
                {lane.name}
              </b>
            )}
            <span className="block wrap-anywhere">{lane.model}</span>
            {lane.chips.map((chip) => (
              <Chip key={chip} isDifferent className="mr-1">
                {chip}
              </Chip>
            ))}
          </span>
        </span>
      </th>
      {hasGateway && <td>{renderUnlessHidden(lane.gateway || '–')}</td>}
      <td>
        {renderUnlessHidden(
          <span className="inline-flex items-center gap-3">
            <span>
              <b className="font-600">{countLaneWins(lane)}</b> of {comparedCount}
            </span>
            <Pips wins={lane.winsByTurn} />
          </span>,
        )}
      </td>
      {hasMarks && (
        <td>
          {lane.goodCount} / {lane.badCount}
        </td>
      )}
      <td>{renderUnlessHidden(<MeasureText measure={lane.timeToFirstToken} />)}</td>
      <td>{renderUnlessHidden(<MeasureText measure={lane.speed} />)}</td>
      <td>{renderUnlessHidden(lane.tokens || '–')}</td>
      {hasCost && <td>{renderUnlessHidden(lane.cost ? formatTotalCost(lane.cost) : '–')}</td>}
      <td>{renderUnlessHidden(lane.finish || '–')}</td>
      {hasSchemaFit && <td>{lane.schemaFit ?? '–'}</td>}
    </tr>
  );
}

/** One mark per turn, filled if the lane was better. Not shown if there are too many marks to tell apart. */
export function Pips({ wins, large: isLarge = false }: { wins: readonly boolean[]; large?: boolean }) {
  if (wins.length > 12) return null;
  return (
    <span aria-hidden className="inline-flex gap-[3px]">
      {wins.map((isWon, index) => (
        <i
          key={index}
          className={`rounded-1 ${isLarge ? 'size-3' : 'size-2'} ${isWon ? 'bg-lane' : 'border border-edge'}`}
        />
      ))}
    </span>
  );
}

function MeasureText({ measure }: { measure: SummaryMeasure }) {
  if (!measure) return '–';
  return (
    <>
      <b className="font-600">{measure.number}</b>{' '}
      <small className="text-11 text-ink-3">{measure.unit}</small>
    </>
  );
}
