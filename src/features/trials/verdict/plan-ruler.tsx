import { formatCount, pluralize } from '../../../lib/format.ts';
import type { TrialPlan } from '../../../trials/trial-plan.ts';
import type { Trial } from '../../../trials/trial.ts';
import { describePlanRuler } from './format-plan.ts';

const widthPx = 520;
const barTop = 26;
const barPx = 20;

/**
 * Ruler with the difference that the planned number of cases can detect, and the numbers of cases required for other
 * differences.
 */
export function PlanRuler({ trial, plan }: { trial: Trial; plan: TrialPlan }) {
  const { detectablePoints, requiredCases, comparedCases: cases } = plan;
  const maxPoints = detectablePoints !== undefined && detectablePoints > 40 ? 100 : 40;
  const x = (points: number) => (Math.min(points, maxPoints) / maxPoints) * widthPx;
  const step = maxPoints / 8;
  const bottom = barTop + barPx;
  const thresholdX = detectablePoints === undefined ? widthPx : x(detectablePoints);
  return (
    <svg
      role="img"
      aria-label={describePlanRuler({ trial, plan })}
      viewBox={`-8 0 ${widthPx + 44} 88`}
      className="block h-auto w-140 max-w-full fill-ink-3 text-11"
    >
      <text className="fill-ink-2 text-12" x={0} y={13}>
        {cases === 0
          ? 'Detectable difference'
          : `Difference that ${pluralize(cases, 'case')} will spot 4 times in 5`}
      </text>
      <rect className="fill-sunken" x={0} y={barTop} width={thresholdX} height={barPx} />
      <rect className="fill-ok-wash" x={thresholdX} y={barTop} width={widthPx - thresholdX} height={barPx} />
      {thresholdX > 110 && (
        <text x={thresholdX / 2} y={barTop + 14} textAnchor="middle">
          too small to detect
        </text>
      )}
      {detectablePoints !== undefined && (
        <>
          <path className="stroke-ink stroke-2" d={`M${thresholdX} ${barTop - 6}v${barPx + 6}`} />
          {widthPx - thresholdX > 120 ? (
            <text className="fill-ink font-[600]" x={thresholdX + 9} y={barTop + 14}>
              {detectablePoints} points or more
            </text>
          ) : (
            <text className="fill-ink font-[600]" x={thresholdX - 9} y={barTop - 1} textAnchor="end" dy="-2">
              {detectablePoints} points or more
            </text>
          )}
        </>
      )}
      <path className="fill-none stroke-edge" d={`M0 ${bottom + 0.5}H${widthPx}`} />
      {Array.from({ length: 9 }, (_, index) => index * step).map((points, index) => (
        <g key={points}>
          <path className="fill-none stroke-edge" d={`M${x(points)} ${bottom}v${index % 2 === 0 ? 6 : 3}`} />
          {index % 2 === 0 && (
            <text x={x(points)} y={bottom + 19} textAnchor="middle">
              {points}
            </text>
          )}
        </g>
      ))}
      <text x={0} y={bottom + 36}>
        needs
      </text>
      {requiredCases
        .filter(({ points }) => maxPoints === 40 || points > 10)
        .map(({ points, cases: count }) => (
          <text key={points} x={x(points)} y={bottom + 36} textAnchor="middle">
            {count === undefined ? 'over 10,000' : `${formatCount(count)} cases`}
          </text>
        ))}
    </svg>
  );
}
