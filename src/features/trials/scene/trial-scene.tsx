import { clsx } from 'clsx';
import { useMemo, useRef, useState } from 'react';

import { maxHeadChars } from '../../../trials/cell.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import type { Verdict } from '../../../trials/verdict.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { CheckIcon, X } from '../../../ui/icons.tsx';
import { StageDialog } from '../../../ui/stage/stage-dialog.tsx';
import { StageHead, StageTitle } from '../../../ui/stage/stage-head.tsx';
import { StageHint, StageHintBar, StageHintGroup } from '../../../ui/stage/stage-hint-bar.tsx';
import { useIsIdle } from '../../../ui/stage/use-is-idle.ts';
import { buildTrialReport, type ReportCase, type TrialReport } from '../report/trial-report.ts';
import { useFullTrialState } from '../use-trial.ts';
import { formatInterval, formatSignedPoints } from '../verdict/difference-plot.tsx';
import { describeVerdict } from '../verdict/format-verdict.ts';
import { describeRates, RateBar } from '../verdict/rates-chart.tsx';
import type { RichText } from '../verdict/rich-text.ts';
import { VerdictSentence } from '../verdict/verdict-sentence.tsx';

const maxCases = 5;

/** Number of columns up to which their names and rates are as large as on the stage of a session. */
const maxLargeColumns = 3;

const largeTileClasses = '[&_.lane-tile]:size-9.5 [&_.lane-tile]:text-[22px]';
const smallTileClasses = '[&_.lane-tile]:size-7 [&_.lane-tile]:text-[17px]';

const titleBoxClasses = `max-h-[34vh] max-w-300 [scrollbar-width:thin] overflow-y-auto ${smallTileClasses}`;

/** Tile, name, rate or result, bar or answer, and difference; in a narrow window the last two have lines of their own. */
const gridClasses =
  'grid grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1.6fr)_auto] gap-x-5.5 @max-[800px]/stage:grid-cols-[auto_minmax(0,1fr)_auto]';

/** Shows a trial to an audience: the verdict first, then cases that only one column passed, one per scene. */
export function TrialScene({ onClose }: { onClose: () => void }) {
  const state = useFullTrialState();
  const report = useMemo(() => buildTrialReport(state, maxCases), [state]);
  const dialog = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const areHintsHidden = useIsIdle();
  const [chosenSceneNumber, setChosenSceneNumber] = useState(0);
  const { cases } = report;
  /** The verdict is scene 0. Fewer cases are left if a check is changed in another tab. */
  const sceneNumber = Math.min(chosenSceneNumber, cases.length);
  const sceneCase = cases[sceneNumber - 1];
  const sceneName = sceneCase ? `Case ${sceneNumber} of ${cases.length}` : 'Verdict';

  const goToScene = (next: number) => setChosenSceneNumber(Math.max(0, Math.min(next, cases.length)));
  const scroll = (share: number) => content.current?.scrollBy({ top: share * content.current.clientHeight });
  const keyActions: Record<string, () => void> = {
    ArrowLeft: () => goToScene(sceneNumber - 1),
    ArrowRight: () => goToScene(sceneNumber + 1),
    PageUp: () => goToScene(sceneNumber - 1),
    PageDown: () => goToScene(sceneNumber + 1),
    Home: () => goToScene(0),
    End: () => goToScene(cases.length),
    ArrowUp: () => scroll(-0.8),
    ArrowDown: () => scroll(0.8),
    ' ': () => scroll(0.8),
  };
  const handleKey = (event: KeyboardEvent) => {
    const action = event.shiftKey && event.key === ' ' ? () => scroll(-0.8) : keyActions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <StageDialog ref={dialog} areHintsHidden={areHintsHidden} onKey={handleKey} onClose={onClose}>
      {sceneCase ? (
        <CaseTitle sceneCase={sceneCase} />
      ) : (
        <StageHead>
          <div className={titleBoxClasses}>
            <StageTitle as="h2">
              <VerdictSentence text={describeVerdict(state).first} isHeadline />
            </StageTitle>
          </div>
        </StageHead>
      )}
      <div
        key={sceneNumber}
        ref={content}
        // Browsers scroll a focused container with the keyboard.
        tabIndex={0}
        role="group"
        aria-label={sceneName}
        className="min-h-0 [scrollbar-width:thin] overflow-y-auto -outline-offset-2"
      >
        {sceneCase ? (
          <CaseAnswers sceneCase={sceneCase} report={report} />
        ) : (
          state.verdict && (
            <Rates
              verdict={state.verdict}
              report={report}
              tradeOff={describeVerdict(state).tradeOffs[0]}
              isRunning={state.trial.state.name === 'running'}
            />
          )
        )}
      </div>
      <StageHintBar areHintsHidden={areHintsHidden} name={sceneName}>
        <StageHint label="Scroll" onUse={() => scroll(0.8)}>
          <kbd aria-hidden>↓</kbd> scroll
        </StageHint>
        <StageHintGroup>
          <StageHint
            isGrouped
            label={`${sceneNumber === 1 ? 'Verdict' : 'Previous case'}, PgUp`}
            onUse={() => goToScene(sceneNumber - 1)}
            disabled={sceneNumber === 0}
          >
            <kbd>PgUp</kbd>
          </StageHint>
          <StageHint
            isGrouped
            label="Next case, PgDn"
            onUse={() => goToScene(sceneNumber + 1)}
            disabled={sceneNumber === cases.length}
          >
            <kbd>PgDn</kbd>
          </StageHint>
          cases
        </StageHintGroup>
        <StageHint isExit onUse={() => dialog.current?.close()}>
          <kbd aria-hidden>Esc</kbd> exit
        </StageHint>
      </StageHintBar>
      <span role="status" className="sr-only">
        {sceneName}
      </span>
    </StageDialog>
  );
}

interface RatesProps {
  verdict: Verdict;
  report: TrialReport;
  tradeOff: RichText | undefined;
  isRunning: boolean;
}

/** Pass rates of all columns as bars, with the differences from the baseline and the trade-off. */
function Rates({ verdict, report, tradeOff, isRunning }: RatesProps) {
  const isSmall = report.columns.length > maxLargeColumns;
  return (
    <>
      <div
        role="img"
        aria-label={describeRates(verdict)}
        className={clsx(gridClasses, isSmall ? smallTileClasses : largeTileClasses)}
      >
        {report.columns.map(({ letter, name, setup, rate, rateText, passedText }, column) => {
          const comparison = verdict.comparisons.find(
            (candidate) => candidate.column === column && candidate.units > 0,
          );
          return (
            <div
              key={letter}
              className={clsx(
                `lane-${letter.toLowerCase()} col-span-full grid grid-cols-subgrid items-center border-b border-line-2`,
                isSmall ? 'py-2.5' : 'py-4',
              )}
            >
              <LaneTile letter={letter} isSmall={false} />
              <span className="min-w-0">
                <span
                  className={clsx(
                    'block font-600 wrap-anywhere text-lane',
                    isSmall ? 'text-18' : 'text-24/8',
                  )}
                >
                  {name === letter ? setup : name}
                </span>
                {name !== letter && !isSmall && (
                  <span className="block truncate text-15 text-ink-3">{setup}</span>
                )}
              </span>
              <span className="text-right whitespace-nowrap">
                <b className={isSmall ? 'text-22' : 'text-54'}>
                  {rate === undefined ? 'no answers' : rateText}
                </b>
                {rate !== undefined && <span className="block text-15 text-ink-3">{passedText}</span>}
              </span>
              <span className="@max-[800px]/stage:col-span-full">
                <RateBar rate={verdict.columns[column]?.rate} isRunning={isRunning} isLarge />
              </span>
              <span className="text-18 font-450 whitespace-nowrap @max-[800px]/stage:col-span-full">
                {comparison ? (
                  <>
                    <b className={clsx('font-600', !isSmall && 'text-24/8')}>
                      {formatSignedPoints(comparison)}
                    </b>
                    {comparison.interval && (
                      <span className="text-ink-3"> ({formatInterval(comparison)})</span>
                    )}
                  </>
                ) : (
                  column === verdict.baseline &&
                  report.columns.length > 1 && <span className="text-ink-3">baseline</span>
                )}
              </span>
            </div>
          );
        })}
      </div>
      {tradeOff && (
        <p className="max-w-300 pt-4 text-[22px]/7.5 text-pretty text-ink-2 @max-[800px]/stage:text-[20px]/6.75">
          <VerdictSentence text={tradeOff} />
        </p>
      )}
      <p className="py-4 text-15 text-pretty text-ink-3">
        {[
          'The bars show how many of the cases passed, with the confidence interval.',
          ...(verdict.comparisons.length > 0
            ? [`The last numbers are points against ${getColumnLetter(verdict.baseline)}.`]
            : []),
          ...(report.note === undefined ? [] : [report.note]),
        ].join(' ')}
      </p>
    </>
  );
}

function CaseTitle({ sceneCase: { number, letter, input } }: { sceneCase: ReportCase }) {
  return (
    <StageHead>
      <div className={titleBoxClasses}>
        <p className="pb-2 text-18 font-450 text-ink-3">
          Case {number}: only {letter} passed
        </p>
        <StageTitle as="h2" dir="auto">
          {input}
        </StageTitle>
      </div>
    </StageHead>
  );
}

const answerTextClasses =
  'col-span-2 text-[22px]/7.5 wrap-anywhere whitespace-pre-wrap @max-[800px]/stage:col-span-full @max-[800px]/stage:text-[20px]/6.75';

/** Expected value of a case and the answers of all columns. */
function CaseAnswers({
  sceneCase: { letter: winner, expected, answers },
  report,
}: {
  sceneCase: ReportCase;
  report: TrialReport;
}) {
  const isSmall = report.columns.length > maxLargeColumns;
  const rowClasses = clsx(
    'col-span-full grid grid-cols-subgrid items-start gap-y-1 border-b border-line-2',
    isSmall ? 'py-2.5' : 'py-4',
  );
  return (
    <ul aria-label="Answers" className={clsx(gridClasses, isSmall ? smallTileClasses : largeTileClasses)}>
      {expected !== '' && (
        <li className={rowClasses}>
          <span />
          <span className="text-18 font-450 text-ink-3">Expected</span>
          <span />
          <span className={answerTextClasses} dir="auto">
            {expected}
          </span>
        </li>
      )}
      {report.columns.map(({ letter, name, setup }, column) => {
        const answer = answers[column] ?? '';
        return (
          <li key={letter} className={`lane-${letter.toLowerCase()} ${rowClasses}`}>
            <LaneTile letter={letter} isSmall={false} />
            <span className={clsx('font-600 wrap-anywhere text-lane', isSmall ? 'text-18' : 'text-24/8')}>
              {name === letter ? setup : name}
            </span>
            {letter === winner ? (
              <StatusLabel tone="ok" size="stage" className="mt-1" icon={<CheckIcon aria-hidden />}>
                Passed
              </StatusLabel>
            ) : (
              <StatusLabel tone="err" size="stage" className="mt-1" icon={<X aria-hidden />}>
                Failed
              </StatusLabel>
            )}
            <span className={clsx(answerTextClasses, answer === '' && 'text-ink-3')} dir="auto">
              {answer === '' ? 'No answer' : answer}
              {Array.from(answer).length === maxHeadChars && '…'}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
