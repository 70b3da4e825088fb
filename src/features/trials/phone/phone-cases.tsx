import { useRef } from 'react';

import { usePlayground } from '../../../state/use-playground.tsx';
import { letterAt } from '../../../trials/trial.ts';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { useRowWindow } from '../../../ui/hooks/use-row-window.ts';
import { ChevronDown, ChevronRight } from '../../../ui/icons.tsx';
import { CaseFilters } from '../grid/case-filters.tsx';
import { decidingTable, tintedRows, valueOf } from '../grid/case-rows.ts';
import { cellFacts, cellLabel } from '../grid/format-cell.ts';
import { percentOf } from '../grid/format-header.ts';
import { markLook, rowGround } from '../grid/mark-look.ts';
import { useCaseRows } from '../grid/use-case-rows.ts';
import { shownTrial } from '../trial-view.ts';
import { useTrialView, useTrialViewStore, useWholeTrial } from '../use-trial.ts';

const rowPx = 76;

/** The cases as a list, one column at a time: no grid fits a phone. */
export function PhoneCases() {
  const view = useTrialViewStore();
  const state = useWholeTrial();
  const { trial, cases, verdict } = state;
  const rows = useCaseRows();
  const chosen = useTrialView((now) => now.phoneColumn);
  const playground = usePlayground();
  const scroller = useRef<HTMLUListElement>(null);
  const current = useTrialView((now) => now.cursor.caseId);
  const active = rows.findIndex(({ caseId }) => caseId === current);
  const { from, to } = useRowWindow(scroller, { count: rows.length, rowPx, active });
  const tinted = tintedRows(decidingTable(state));
  const check = trial.checks.find(({ id }) => id === trial.decides);
  const shown = trial.columns.filter(({ id }) => chosen === undefined || id === chosen);
  const announce = useAnnounce();
  const goOn = () => {
    const number = shownTrial(playground)?.toDisagreement(1);
    if (number === undefined) return;
    scroller.current?.scrollIntoView({ block: 'nearest' });
    announce(`Case ${number}.`);
  };
  const open = (caseId: string, columnId: string) =>
    view.setState({
      cursor: { caseId, column: 1 + trial.fields.length },
      panel: { name: 'cell', key: { caseId, columnId, repeat: 1 } },
      focusesPanel: true,
    });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        role="tablist"
        aria-label="Columns"
        className="flex flex-none overflow-x-auto border-b border-line bg-bench"
      >
        {[undefined, ...trial.columns.map(({ id }) => id)].map((id, index) => {
          const rate = verdict?.columns[index - 1]?.rate;
          const isChosen = chosen === id;
          return (
            <button
              key={id ?? 'all'}
              type="button"
              role="tab"
              aria-selected={isChosen}
              className={`flex h-11 min-w-16 flex-1 items-center justify-center gap-2 border-b-2 px-3 ${isChosen ? 'border-ink font-[600]' : 'border-transparent text-ink-2'}`}
              onClick={() => view.setState({ phoneColumn: id })}
            >
              {id === undefined ? 'All' : <LaneTile letter={letterAt(index - 1)} />}
              {id !== undefined && <span className="sr-only">{letterAt(index - 1)}</span>}
              {rate && <span>{percentOf(rate.rate)} %</span>}
            </button>
          );
        })}
      </div>
      <CaseFilters shown={rows.length} />
      <ul
        ref={scroller}
        aria-label="Cases"
        tabIndex={0}
        className="relative min-h-60 flex-1 scroll-mb-18 overflow-y-auto"
      >
        <li aria-hidden style={{ height: rows.length * rowPx }} />
        {rows.slice(from, to).map(({ caseId, number, at }, index) => {
          const own = cases.get(caseId);
          return (
            <li
              key={caseId}
              aria-current={caseId === current || undefined}
              className={`absolute inset-x-0 top-0 flex h-19 items-center gap-2 overflow-hidden border-b border-line px-4 py-2 aria-current:shadow-[inset_3px_0_0_var(--ink)] ${rowGround(tinted.has(at))}`}
              style={{ transform: `translateY(${(from + index) * rowPx}px)` }}
            >
              <span className="w-7 flex-none self-start text-12 leading-5 text-ink-3">{number}</span>
              <div className="min-w-0 flex-1">
                <p className="truncate text-14" dir="auto">
                  {valueOf(own, trial.fields[0] ?? '')}
                </p>
                <p className="mt-1 flex gap-1.5 overflow-x-auto">
                  {shown.map((column) => {
                    const place = trial.columns.indexOf(column);
                    const facts = cellFacts({ ...state, repeats: trial.repeats, check }, own, column);
                    const [first] = facts.folds;
                    return (
                      <span
                        key={column.id}
                        className={`relative flex min-h-8 min-w-0 items-center gap-1.5 rounded-2 ${shown.length > 1 ? 'border border-line-2 bg-raised px-2' : 'w-full'}`}
                      >
                        {shown.length > 1 && <LaneTile letter={letterAt(place)} />}
                        <button
                          type="button"
                          aria-label={cellLabel(number, place, facts)}
                          data-mark={facts.look}
                          className={classes(
                            'flex min-w-0 items-center gap-1.5 after:absolute after:inset-0',
                            markLook(facts.look),
                          )}
                          onClick={() => open(caseId, column.id)}
                        >
                          <b
                            className={`truncate font-[550] ${facts.look === 'failed' ? 'text-err-ink' : ''}`}
                          >
                            {first?.text ?? facts.words}
                          </b>
                        </button>
                        {shown.length === 1 && (
                          <>
                            <span className="min-w-0 truncate text-12 text-ink-2" aria-hidden>
                              {first?.rest}
                            </span>
                            <span className="ml-auto text-12 text-ink-3" aria-hidden>
                              {facts.note}
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
          <Button className="w-full" onClick={goOn}>
            <ChevronDown className="icon-14" aria-hidden />
            Next disagreement
          </Button>
        </footer>
      )}
    </div>
  );
}
