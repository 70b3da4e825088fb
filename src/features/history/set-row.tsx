import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useAppServices, useLazyLab, useLibraryServices, useSessionServices } from '../../state/contexts.tsx';
import { openSavedSets, type SavedSets } from '../../state/lab/saved-sets.ts';
import { reportFailure } from '../../state/notices.ts';
import { Tag } from '../../ui/display/tag.tsx';
import { describeExtent, type SetEntry } from './history-entries.ts';
import {
  HistoryCell,
  HistoryRow,
  HistoryTitleCell,
  ModelsAndLastUse,
  TitleField,
  RowTools,
  TitleLink,
} from './row-parts.tsx';
import { useHistoryRow } from './use-history-row.ts';

interface SetRowProps {
  /** Index of the row in the table. */
  index: number;
  entry: SetEntry;
  /** Current time, in epoch ms. */
  nowMs: number;
}

const labPath = '/embeddings';

/** Row of an embedded set. */
export function SetRow({ index, entry, nowMs }: SetRowProps) {
  const { actions } = useSessionServices();
  const { storage } = useLibraryServices();
  const lazyLab = useLazyLab();
  const { notices, router, page } = useAppServices();
  const { id, set } = entry;
  const title = getDisplayTitle(entry.title);
  const runOnSets = (action: (sets: SavedSets) => unknown) =>
    reportFailure(notices, openSavedSets({ lazyLab, storage, page, actions }).then(action));
  const requestSet = () => runOnSets((sets) => sets.requestOpen(id));
  const { isRenaming, startRename, endRename } = useHistoryRow({
    title: entry.title,
    onRename: (next) => runOnSets((sets) => sets.rename(id, next)),
  });
  const remove = () => runOnSets((sets) => sets.remove(set));
  return (
    <HistoryRow index={index}>
      <HistoryCell className="max-phone:row-span-2" />
      <HistoryTitleCell>
        {isRenaming ? (
          <TitleField title={entry.title} label="Embedding set title" onDone={endRename} />
        ) : (
          <span className="flex items-center gap-2">
            <TitleLink
              href={labPath}

              onClick={({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey || requestSet()}
            >
              {title}
            </TitleLink>
            <Tag>Embeddings</Tag>
          </span>
        )}
      </HistoryTitleCell>
      <HistoryCell className="text-ink-3 @max-4xl/page:hidden!">{describeExtent(entry)}</HistoryCell>
      <ModelsAndLastUse models={set.models} lastUsedAt={entry.updatedAt} nowMs={nowMs} />
      <RowTools
        title={title}
        onOpen={() => {
          requestSet();
          router.navigate({ screen: 'page', path: labPath });
        }}
        onRename={startRename}
        onRemove={remove}
      />
    </HistoryRow>
  );
}
