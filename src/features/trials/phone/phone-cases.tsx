import { useRef } from 'react';

import { useLazyTrials } from '../../../state/contexts.tsx';
import { getColumnLetter } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Tab, TabList, Tabs } from '../../../ui/controls/tabs.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { useVirtualRows } from '../../../ui/hooks/use-virtual-rows.ts';
import { ChevronDown } from '../../../ui/icons.tsx';
import { ChevronRight } from '../../../ui/late-icons.tsx';
import { CaseFilters } from '../grid/case-filters.tsx';
import { findDecidingTable, findDisagreeingRows, getCaseValue } from '../grid/case-rows.ts';
import { findMainField } from '../grid/field-sizes.ts';
import { summarizeCell, formatCellLabel, truncate } from '../grid/format-cell.ts';
import { useCaseRows } from '../grid/use-case-rows.ts';
import { useFieldSizes } from '../grid/use-field-sizes.ts';
import { getTrialShortcuts } from '../trial-view.ts';
import { useTrialView, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { formatPercent } from '../verdict/rich-text.ts';

const rowPx = 76;
const allColumns = 'all';

/** Cases as a list with one column at a time, since a grid does not fit on phones. */
export function PhoneCases() {
  const lazyTrials = useLazyTrials();
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const { trial, cases, verdict } = state;
  const rows = useCaseRows();
  const mainField = findMainField(useFieldSizes());
  const selectedColumnId = useTrialView((viewState) => viewState.phoneColumn);

  const scroller = useRef<HTMLUListElement>(null);
  const currentCaseId = useTrialView((viewState) => viewState.cursor.caseId);
  const active = rows.findIndex(({ caseId }) => caseId === currentCaseId);
  const virtualizer = useVirtualRows(scroller, { count: rows.length, rowPx, active });
  const disagreeingRows = findDisagreeingRows(findDecidingTable(state));
  const visibleColumns = trial.columns.filter(
    ({ id }) => selectedColumnId === undefined || id === selectedColumnId,
  );
  const announce = useAnnounce();
  const goToNextDisagreement = () => {
    const number = getTrialShortcuts(lazyTrials)?.goToDisagreement(1);
    if (number === undefined) return;
    scroller.current?.scrollIntoView({ block: 'nearest' });
    announce(`Case ${number}.`);
  };
  const open = (caseId: string, columnId: string) =>
    view.setState({
      cursor: { caseId, column: 1 + trial.fields.length },
      panel: { name: 'cell', key: { caseId, columnId, repeat: 1 } },
      shouldFocusPanel: true,
    });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Tabs
        value={selectedColumnId ?? allColumns}
        onValueChange={(value: string) =>
          view.setState({ phoneColumn: trial.columns.find(({ id }) => id === value)?.id })
        }
        render={
          <TabList
            aria-label="Columns"
            className="flex flex-none overflow-x-auto border-b border-line bg-bench"
          />
        }
      >
        {[allColumns, ...trial.columns.map(({ id }) => id)].map((value, index) => {
          const rate = verdict?.columns[index - 1]?.rate;
          return (
            <Tab
              key={value}
              value={value}
              className="flex h-11 min-w-16 flex-1 items-center justify-center gap-2 border-b-2 border-transparent px-3 text-ink-2 data-active:border-ink data-active:font-[600] data-active:text-inherit"
            >
              {value === allColumns ? 'All' : <LaneTile letter={getColumnLetter(index - 1)} />}
              {value !== allColumns && <span className="sr-only">{getColumnLetter(index - 1)}</span>}
              {rate && <span>{formatPercent(rate.rate)} %</span>}
            </Tab>
          );
        })}
      </Tabs>
      <CaseFilters visibleCount={rows.length} />
      <ul
        ref={scroller}
        aria-label="Cases"
        tabIndex={0}
        className="relative min-h-60 flex-1 scroll-mb-18 overflow-y-auto"
      >
        <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { caseId, number, tableRow } = row;
          const testCase = cases.get(caseId);
          return (
            <li
              key={caseId}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              aria-current={caseId === currentCaseId || undefined}
              className={`absolute inset-x-0 top-0 flex h-19 items-center gap-2 overflow-hidden border-b border-line px-4 py-2 aria-current:shadow-[inset_3px_0_0_var(--ink)] ${disagreeingRows.has(tableRow) ? 'bg-[color-mix(in_oklab,var(--warn-wash)_62%,var(--paper))]' : 'bg-paper'}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="w-7 flex-none self-start text-12 leading-5 text-ink-3">{number}</span>
              <div className="min-w-0 flex-1">
                <p className="truncate text-14" dir="auto">
                  {truncate(getCaseValue(testCase, mainField))}
                </p>
                <p className="mt-1 flex gap-1.5 overflow-x-auto">
                  {visibleColumns.map((column) => {
                    const columnIndex = trial.columns.indexOf(column);
                    const summary = summarizeCell(state, testCase, column);
                    const [firstGroup] = summary.answerGroups;
                    return (
                      <span
                        key={column.id}
                        className={`relative flex min-h-8 min-w-0 items-center gap-1.5 rounded-2 ${visibleColumns.length > 1 ? 'border border-line-2 bg-raised px-2' : 'w-full'}`}
                      >
                        {visibleColumns.length > 1 && <LaneTile letter={getColumnLetter(columnIndex)} />}
                        <button
                          type="button"
                          aria-label={formatCellLabel(number, columnIndex, summary)}
                          data-mark={summary.status}
                          className="flex min-w-0 items-center gap-1.5 after:absolute after:inset-0"
                          onClick={() => open(caseId, column.id)}
                        >
                          <b
                            className={`truncate font-[550] ${summary.status === 'failed' ? 'text-err-ink' : ''}`}
                          >
                            {firstGroup?.text ?? summary.label}
                          </b>
                        </button>
                        {visibleColumns.length === 1 && (
                          <>
                            <span className="min-w-0 truncate text-12 text-ink-2" aria-hidden>
                              {firstGroup?.suffix}
                            </span>
                            <span className="ml-auto text-12 text-ink-3" aria-hidden>
                              {summary.note}
                            </span>
                            <ChevronRight className="icon-14 text-ink-3" aria-hidden />
                          </>
                        )}
                      </span>
                    );
                  })}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      {trial.columns.length > 1 && (
        <footer className="sticky bottom-0 flex flex-none gap-2 border-t border-line bg-bench px-4 py-2.5">
          <Button className="w-full" onClick={goToNextDisagreement}>
            <ChevronDown className="icon-14" aria-hidden />
            Next disagreement
          </Button>
        </footer>
      )}
    </div>
  );
}
