import { formatCount } from '../../../lib/format.ts';
import type { TrialPlan } from '../../../trials/trial-plan.ts';
import { caseCount, type Trial } from '../../../trials/trial.ts';
import { rulerWords } from './describe-plan.ts';

const widthPx = 520;
const barTop = 26;
const barPx = 20;

/** Which difference so many cases would tell, and how many cases others need. */
export function PlanRuler({ trial, plan }: { trial: Trial; plan: TrialPlan }) {
  const { told, needed } = plan;
  const most = told !== undefined && told > 40 ? 100 : 40;
  const x = (points: number) => (Math.min(points, most) / most) * widthPx;
  const step = most / 8;
  const bottom = barTop + barPx;
  const mark = told === undefined ? widthPx : x(told);
  const cases = caseCount(trial);
  return (
    <svg
      role="img"
      aria-label={rulerWords({ trial, plan })}
      viewBox={`-8 0 ${widthPx + 44} 88`}
      className="block h-auto w-140 max-w-full fill-ink-3 text-11"
    >
      <text className="fill-ink-2 text-12" x={0} y={13}>
        {cases === 0
          ? 'Difference that the cases would tell'
          : `Difference that ${formatCount(cases)} cases would tell, in 4 of 5 such trials`}
      </text>
      <rect className="fill-sunken" x={0} y={barTop} width={mark} height={barPx} />
      <rect className="fill-ok-wash" x={mark} y={barTop} width={widthPx - mark} height={barPx} />
      {mark > 110 && (
        <text x={mark / 2} y={barTop + 14} textAnchor="middle">
          too small to tell
        </text>
      )}
      {told !== undefined && (
        <>
          <path className="stroke-ink stroke-2" d={`M${mark} ${barTop - 6}v${barPx + 6}`} />
          {widthPx - mark > 120 ? (
            <text className="fill-ink font-[600]" x={mark + 9} y={barTop + 14}>
              {told} points or more
            </text>
          ) : (
            <text className="fill-ink font-[600]" x={mark - 9} y={barTop - 1} textAnchor="end" dy="-2" />
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
      {needed
        .filter(({ points }) => most === 40 || points > 10)
        .map(({ points, cases: count }) => (
          <text key={points} x={x(points)} y={bottom + 36} textAnchor="middle">
            {count === undefined ? 'over 10,000' : `${formatCount(count)} cases`}
          </text>
        ))}
    </svg>
  );
}
