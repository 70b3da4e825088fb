import { formatCount, pluralize } from '../../../lib/format.ts';
import { countResults, type ResultTable } from '../../../trials/result-table.ts';
import { getColumnLetter, type Trial } from '../../../trials/trial.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { casesGrid, checksHeading, getCheckTarget } from '../trial-focus-targets.ts';
import { useTrial, useTrialView, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { AddCheck } from './add-check.tsx';
import { describeCheck } from './describe-check.ts';

/** List of checks with the number of passed answers per column. At most one is the deciding check. */
export function ChecksView() {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data, tables, progress, rescoringCount } = useFullTrialState();
  const panel = useTrialView((viewState) => viewState.panel);
  const openCheckId = panel?.name === 'check' ? panel.id : undefined;
  return (
    <section aria-label="Checks" data-region className="flex min-w-0 flex-1 flex-col overflow-auto bg-paper">
      <header className="flex min-h-12 flex-none flex-wrap items-center gap-2.5 border-b border-line px-4 py-1.5">
        <h2 className="text-15 font-[600]" {...checksHeading.attributes}>
          Checks
        </h2>
        <span className="min-w-40 flex-1 text-12 text-ink-3">
          {rescoringCount > 0
            ? `Updating scores of ${pluralize(rescoringCount, 'answer')}…`
            : 'Checks run on existing answers. Nothing is sent.'}
        </span>
        <AddCheck look="button" />
        <Button
          {...getNextFocusAttributes(casesGrid)}
          onClick={() => view.setState({ pane: 'cases', panel: undefined })}
        >
          Back to cases
        </Button>
      </header>
      <table aria-label="Checks" className="w-full border-collapse">
        <thead>
          <tr className="h-9 border-b border-line-2 bg-bench text-left text-11 text-ink-3 [&>th]:px-2.5 [&>th]:font-[500]">
            <th scope="col" className="w-18 pl-4!">
              Decides
            </th>
            <th scope="col">Check</th>
            <th scope="col" className="max-phone:hidden">
              Passes when
            </th>
            {data.columns.map(({ id }, index) => (
              <th key={id} scope="col" className="w-18">
                <span className="flex justify-end">
                  <LaneTile letter={getColumnLetter(index)} />
                  <span className="sr-only">{getColumnLetter(index)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.checks.map((check) => (
            <tr
              key={check.id}
              className={`relative h-10 border-b border-line hover:bg-hover [&>*]:px-2.5 ${check.id === openCheckId ? 'bg-hover' : ''}`}
            >
              <td className="pl-4!">
                <input
                  type="radio"
                  name="decides"
                  className="relative z-1 m-1.5 size-4 accent-(--ink)"
                  aria-label={`${check.name} decides`}
                  checked={check.id === data.decides}
                  onChange={() => trial.setDecidingCheck(check.id)}
                />
              </td>
              <th scope="row" className="text-left">
                <ButtonElement
                  type="button"
                  className="min-h-6 font-[550] after:absolute after:inset-0"
                  {...getCheckTarget(check.id).attributes}
                  onClick={() => view.setState({ panel: { name: 'check', id: check.id } })}
                >
                  {check.name}
                </ButtonElement>
                <span className="hidden text-12 font-[450] text-ink-3 max-phone:block">
                  {describeCheck(check)}
                </span>
              </th>
              <td className="text-ink-2 max-phone:hidden">{describeCheck(check)}</td>
              {formatPassedCounts(data, tables.get(check.id)).map((text, index) => (
                <td key={data.columns[index]?.id} className="pr-4! text-right font-[550]">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {data.checks.length === 0 && (
        <p className="px-4 py-6 text-13 text-pretty text-ink-2">No checks yet. Add one to get a verdict.</p>
      )}
      <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-12 text-ink-3">
        {progress.missing > 0 && (
          <span>{pluralize(progress.missing, 'missing answer')}, never counted as failed.</span>
        )}
        {data.decides !== undefined && (
          <Button
            size="small"
            variant="ghost"
            {...getNextFocusAttributes(checksHeading)}
            onClick={() => trial.setDecidingCheck(undefined)}
          >
            Clear deciding check
          </Button>
        )}
      </p>
    </section>
  );
}

/** Formats the number of passed answers in the counted cases of each column; empty until there are such cases. */
function formatPassedCounts(trial: Trial, table: ResultTable | undefined): string[] {
  if (!table) return trial.columns.map(() => '');
  const { columns, rows } = countResults({
    table,
    stopped: trial.columns.map(({ stopped }) => stopped !== undefined),
    baseline: Math.max(
      0,
      trial.columns.findIndex(({ id }) => id === trial.baseline),
    ),
  });
  return columns.map(({ answers }) => (rows.length === 0 ? '' : formatCount(answers.passed)));
}
