import { useMemo } from 'react';

import { formatCount, pluralize } from '../../../lib/format.ts';
import { useAppServices, usePrefs } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { Search, X } from '../../../ui/icons.tsx';
import { formatFieldValue } from '../breakdown/format-breakdown.ts';
import { caseFilters, valueFilterButton } from '../trial-focus-targets.ts';
import type { ValueFilter } from '../trial-view.ts';
import { useTrialView, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { findDecidingTable, listFilterChoices } from './case-rows.ts';
import { rowLineChoices } from './grid-layout.ts';

const getFilterKey = ({ name, ...rest }: { name: string; column?: number }) => `${name} ${rest.column ?? ''}`;

/** Filter, search and order of the cases. */
export function CaseFilters({ visibleCount }: { visibleCount: number }) {
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const filter = useTrialView((viewState) => viewState.filter);
  const valueFilter = useTrialView((viewState) => viewState.valueFilter);
  const searchQuery = useTrialView((viewState) => viewState.searchQuery);
  const order = useTrialView((viewState) => viewState.order);
  const table = findDecidingTable(state);
  const { trial, order: caseOrder, cases, loading } = state;
  const choices = useMemo(
    () => listFilterChoices({ trial, order: caseOrder, cases, table }, valueFilter),
    [trial, caseOrder, cases, table, valueFilter],
  );
  const isDraft = trial.state.name === 'draft';
  const disagreementLabel =
    trial.repeats > 1 && trial.columns.length < 2 ? 'repeats differ' : 'columns disagree';
  // While loading, filters would match only the cells loaded so far.
  if (loading)
    return (
      <div className="flex min-h-10.25 items-center border-b border-line bg-bench px-4 py-1.5">
        <b className="font-[600]">{pluralize(visibleCount, 'case')}</b>
      </div>
    );
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-bench px-4 py-1.5 max-phone:flex-nowrap max-phone:overflow-x-auto">
      {isDraft ? (
        <b className="font-[600]">{pluralize(visibleCount, 'case')}</b>
      ) : (
        <span {...caseFilters.attributes} className="flex-none">
          <Segmented
            label="Show"
            value={getFilterKey(filter)}
            choices={choices.map((choice) => ({
              value: getFilterKey(choice.filter),
              label: choice.label,
              // The count is generated content, so that the accessible name consists only of the label.
              content: (
                <span
                  data-count={formatCount(choice.count)}
                  className="after:ml-1.5 after:text-11 after:text-ink-3 after:content-[attr(data-count)]"
                >
                  {choice.label}
                </span>
              ),
            }))}
            onChange={(value) => {
              const chosen = choices.find((choice) => getFilterKey(choice.filter) === value);
              if (chosen) view.setState({ filter: chosen.filter });
            }}
          />
        </span>
      )}
      {valueFilter && <ValueFilterButton filter={valueFilter} />}
      <span className="grow" />
      {!isDraft && (
        <>
          <span className="flex items-center gap-1.5 text-12 whitespace-nowrap text-ink-3 max-phone:hidden @max-[1100px]:hidden">
            <i className="size-3 rounded-[2px] border border-line-2 bg-warn-wash" />
            {disagreementLabel}
          </span>
          <span className="max-phone:hidden">
            <Segmented
              label="Order"
              value={order}
              choices={[
                { value: 'in order', label: 'Case order' },
                { value: 'newest first', label: 'Newest first' },
              ]}
              onChange={(next) => view.setState({ order: next })}
            />
          </span>
        </>
      )}
      <RowLinesSelect />
      <label className="flex h-7 max-w-56 min-w-0 grow basis-32 items-center gap-2 rounded-2 border border-line-2 bg-paper px-2 text-ink-3 focus-within:border-ink max-phone:hidden">
        <Search className="icon-14" aria-hidden />
        <input
          type="search"
          aria-label="Find in cases and answers"
          placeholder="Find in cases and answers"
          dir="auto"
          spellCheck={false}
          className="min-w-0 flex-1 bg-transparent text-12 text-ink outline-none"
          value={searchQuery}
          onInput={(event) => view.setState({ searchQuery: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || searchQuery === '') return;
            event.preventDefault();
            view.setState({ searchQuery: '' });
          }}
        />
      </label>
      <span className="sr-only" role="status">
        {filter.name === 'all' && searchQuery === '' && !valueFilter
          ? ''
          : pluralize(visibleCount, 'case matches', 'cases match')}
      </span>
    </div>
  );
}

/** Value that the listed cases have; a click lists all again. */
function ValueFilterButton({ filter: { field, value } }: { filter: ValueFilter }) {
  const view = useTrialViewStore();
  const label = `${field}: ${formatFieldValue(value)}`;
  return (
    <Button
      size="small"
      aria-label={`Remove filter ${label}`}
      className="max-w-56 min-w-0 shrink max-phone:flex-none"
      {...valueFilterButton.attributes}
      {...getNextFocusAttributes({ selector: `${caseFilters.selector} [tabindex="0"]` })}
      onClick={() => view.setState({ valueFilter: undefined })}
    >
      <span className="truncate" dir="auto">
        {label}
      </span>
      <X className="icon-14" aria-hidden />
    </Button>
  );
}

/** Number of lines per row; at first as many as the values need. */
function RowLinesSelect() {
  const { prefs } = useAppServices();
  const lines = usePrefs(({ trialRowLines }) => trialRowLines);
  return (
    <span className="max-phone:hidden @max-[1100px]:hidden">
      <Select
        label="Lines per row"
        value={String(lines ?? '')}
        options={[
          { value: '', label: 'Rows: automatic' },
          ...rowLineChoices.map((choice) => ({
            value: String(choice),
            label: `Rows: ${pluralize(choice, 'line')}`,
          })),
        ]}
        onChange={(value) =>
          prefs.setState({ trialRowLines: rowLineChoices.find((choice) => String(choice) === value) })
        }
      />
    </span>
  );
}
