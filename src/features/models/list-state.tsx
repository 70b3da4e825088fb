import { plural } from '../../lib/format.ts';
import type { useModels } from './use-models.ts';

interface ListStateProps {
  list: ReturnType<typeof useModels>;
  count: number;
  total: number;
}

/** How old the list is, whether a new one is coming, or why there is none. */
export function ListState({ list, count, total }: ListStateProps) {
  if (list.isFetching) return <span>Checking for new models</span>;
  return (
    <span className="list-state">
      {list.isError ? (
        <span className="list-error">
          {list.data ? 'The list could not be refreshed.' : 'The list did not come.'} {list.error.message}
        </span>
      ) : (
        <span>
          {/* The exact text typed is an option too, so the options are not all models. */}
          {count === total ? '' : `${plural(count, 'option')}, `}
          {plural(total, 'model')}
          {list.data?.hasMore &&
            '. The gateway has more, which it lists on further pages. Type an ID to use one'}
        </span>
      )}
      <button type="button" className="text-button" onClick={() => void list.refetch()}>
        Check again
      </button>
    </span>
  );
}
