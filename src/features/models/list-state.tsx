import { formatCount, plural } from '../../lib/format.ts';
import { textButtonLook } from '../../ui/controls/button.tsx';
import type { useModels } from './use-models.ts';

interface ListStateProps {
  list: ReturnType<typeof useModels>;
  count: number;
  total: number;
}

/** What to do under an empty list; nothing is said of a list that is still to come. */
export function emptyListWords({ isError, data }: Pick<ListStateProps['list'], 'isError' | 'data'>): string {
  if (isError || data === undefined) return 'Type an ID and press Enter to use it.';
  return data.models.length === 0
    ? 'The gateway lists no models. Type an ID and press Enter to use it.'
    : 'No model matches. Type a full ID and press Enter to use it.';
}

/** How many models there are, whether a new list is coming, or why there is none. */
export function ListState({ list, count, total }: ListStateProps) {
  if (list.isFetching) return <span>Checking for new models</span>;
  return (
    <span className="list-state">
      {list.isError ? (
        <span className="list-error">
          {list.data ? 'Could not refresh the list.' : 'Could not load models.'} {list.error.message}
        </span>
      ) : (
        <span>
          {count === total ? plural(total, 'model') : `${formatCount(count)} of ${formatCount(total)}`}
          {list.data?.hasMore && '. The gateway has more on further pages. Type an ID to use one'}
        </span>
      )}
      <button type="button" className={textButtonLook} onClick={() => void list.refetch()}>
        Check again
      </button>
    </span>
  );
}
