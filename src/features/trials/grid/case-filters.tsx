import { useMemo } from 'react';

import { formatCount, pluralize } from '../../../lib/format.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Search } from '../../../ui/icons.tsx';
import { caseFilters } from '../trial-focus-targets.ts';
import { useTrialView, useTrialViewStore, useWholeTrial } from '../use-trial.ts';
import { decidingTable, filterChoices } from './case-rows.ts';

const nameOf = ({ name, ...rest }: { name: string; column?: number }) => `${name} ${rest.column ?? ''}`;

/** Which cases are shown, and in which order. */
export function CaseFilters({ shown }: { shown: number }) {
  const view = useTrialViewStore();
  const state = useWholeTrial();
  const filter = useTrialView((now) => now.filter);
  const find = useTrialView((now) => now.find);
  const order = useTrialView((now) => now.order);
  const table = decidingTable(state);
  const { trial, order: drawn, opening } = state;
  const choices = useMemo(() => filterChoices({ trial, order: drawn, table }), [trial, drawn, table]);
  const isDraft = trial.state.name === 'draft';
  const what = trial.repeats > 1 && trial.columns.length < 2 ? 'repeats differ' : 'columns disagree';
  // Each would find what has been loaded so far.
  if (opening)
    return (
      <div className="flex min-h-10.25 items-center border-b border-line bg-bench px-4 py-1.5">
        <b className="font-[600]">{pluralize(shown, 'case')}</b>
      </div>
    );
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-bench px-4 py-1.5 max-phone:flex-nowrap max-phone:overflow-x-auto">
      {isDraft ? (
        <b className="font-[600]">{pluralize(shown, 'case')}</b>
      ) : (
        <span {...caseFilters.here} className="contents">
          <Segmented
            label="Show"
            value={nameOf(filter)}
            choices={choices.map((choice) => ({
              value: nameOf(choice.filter),
              label: choice.label,
              // The count is drawn and no text: the name of a choice is its words alone.
              shown: (
                <span
                  data-count={formatCount(choice.count)}
                  className="after:ml-1.5 after:text-11 after:text-ink-3 after:content-[attr(data-count)]"
                >
                  {choice.label}
                </span>
              ),
            }))}
            onChange={(value) => {
              const chosen = choices.find((choice) => nameOf(choice.filter) === value);
              if (chosen) view.setState({ filter: chosen.filter });
            }}
          />
        </span>
      )}
      <span className="grow" />
      {!isDraft && (
        <>
          <span className="flex items-center gap-1.5 text-12 whitespace-nowrap text-ink-3 max-phone:hidden @max-[1100px]:hidden">
            <i className="size-3 rounded-[2px] border border-line-2 bg-warn-wash" />
            {what}
          </span>
          <span className="max-phone:hidden">
            <Segmented
              label="Order"
              value={order}
              choices={[
                { value: 'in order', label: 'In order' },
                { value: 'newest first', label: 'Newest first' },
              ]}
              onChange={(next) => view.setState({ order: next })}
            />
          </span>
        </>
      )}
      <label className="flex h-7 max-w-56 min-w-0 grow basis-32 items-center gap-2 rounded-2 border border-line-2 bg-paper px-2 text-ink-3 focus-within:border-ink max-phone:hidden">
        <Search className="icon-14" aria-hidden />
        <input
          type="search"
          aria-label="Find in cases and answers"
          placeholder="Find in cases and answers"
          dir="auto"
          spellCheck={false}
          className="min-w-0 flex-1 bg-transparent text-12 text-ink outline-none"
          value={find}
          onInput={(event) => view.setState({ find: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || find === '') return;
            event.preventDefault();
            view.setState({ find: '' });
          }}
        />
      </label>
      <span className="sr-only" role="status">
        {filter.name === 'all' && find === '' ? '' : `${formatCount(shown)} shown`}
      </span>
    </div>
  );
}
