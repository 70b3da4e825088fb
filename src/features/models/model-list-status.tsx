import { formatCount, pluralize } from '../../lib/format.ts';
import { TextButton } from '../../ui/controls/button.tsx';
import type { useModels } from './use-models.ts';

/** Model list of a gateway; its label is set if there are several gateways. */
export interface NamedModelList {
  list: ReturnType<typeof useModels>;
  label?: string;
}

interface ModelListStatusProps {
  lists: readonly NamedModelList[];
  count: number;
  total: number;
}

/** Number of models, or the loading or error state of the lists. */
export function ModelListStatus({ lists, count, total }: ModelListStatusProps) {
  if (lists.some(({ list }) => list.isFetching)) return <span>Checking for new models…</span>;
  const failedLists = lists.filter(({ list }) => list.isError);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {failedLists.map(({ list, label }) => (
        <span key={label ?? ''} className="text-err-ink">
          {label !== undefined && `${label}: `}
          {list.data ? 'Could not refresh the list.' : 'Could not load models.'} {list.error?.message}
        </span>
      ))}
      {failedLists.length < lists.length && (
        <span>
          {count === total ? pluralize(total, 'model') : `${formatCount(count)} of ${formatCount(total)}`}
          {lists.some(({ list }) => list.data?.hasMore) &&
            '. More models exist. Type an ID to use one that is not listed.'}
        </span>
      )}
      <TextButton
        onClick={() => {
          for (const { list } of lists) void list.refetch();
        }}
      >
        Check again
      </TextButton>
    </span>
  );
}
