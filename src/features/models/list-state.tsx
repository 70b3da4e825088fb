import type { useModels } from './use-models.ts';

interface ListStateProps {
  list: ReturnType<typeof useModels>;
  count: number;
  total: number;
}

/** How old the list is, whether a new one is coming, or why there is none. */
export function ListState({ list, count, total }: ListStateProps) {
  if (list.isFetching) return <span>Checking for new models</span>;
  const words = list.data ? `The list could not be refreshed. ${list.error?.message ?? ''}` : `The list did not come. ${list.error?.message ?? ''}`;
  return (
    <>
      <span className={list.isError ? 'list-error' : undefined}>
        {list.isError ? words : `${count === total ? '' : `${count.toLocaleString('en')} of `}${total.toLocaleString('en')} models`}
      </span>
      <button type="button" className="text-button" onClick={() => void list.refetch()}>
        Check again
      </button>
    </>
  );
}
