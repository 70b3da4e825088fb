import { formatCount, pluralize } from '../../lib/format.ts';
import { TextButton } from '../../ui/controls/button.tsx';
import type { useModels } from './use-models.ts';

interface ModelListStatusProps {
  list: ReturnType<typeof useModels>;
  count: number;
  total: number;
}

/** Number of models, or the loading or error state of the list. */
export function ModelListStatus({ list, count, total }: ModelListStatusProps) {
  if (list.isFetching) return <span>Checking for new models…</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {list.isError ? (
        <span className="text-err-ink">
          {list.data ? 'Could not refresh the list.' : 'Could not load models.'} {list.error.message}
        </span>
      ) : (
        <span>
          {count === total ? pluralize(total, 'model') : `${formatCount(count)} of ${formatCount(total)}`}
          {list.data?.hasMore && '. More models exist. Type an ID to use one that is not listed.'}
        </span>
      )}
      <TextButton onClick={() => void list.refetch()}>Check again</TextButton>
    </span>
  );
}
