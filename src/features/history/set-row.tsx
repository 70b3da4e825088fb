import { getDisplayTitle } from '../../lib/text/trim.ts';
import { openSavedSets, type SavedSets } from '../../state/lab/saved-sets.ts';
import { reportFailure } from '../../state/notices.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { describeExtent, type SetEntry } from './history-entries.ts';
import { cellLook, ModelsAndLastUse, rowLook, RowTools, RenameField, titleLook } from './row-parts.tsx';
import { useHistoryRow } from './use-history-row.ts';

interface SetRowProps {
  entry: SetEntry;
  /** Current time, in epoch ms. */
  nowMs: number;
}

const labPath = '/embeddings';

/** Row of an embedded set. */
export function SetRow({ entry, nowMs }: SetRowProps) {
  const playground = usePlayground();
  const { notices, router } = playground;
  const { id, set } = entry;
  const title = getDisplayTitle(entry.title);
  const runOnSets = (action: (sets: SavedSets) => unknown) =>
    reportFailure(notices, openSavedSets(playground).then(action));
  const requestSet = () => runOnSets((sets) => sets.requestOpen(id));
  const { row, isRenaming, startRename, endRename, remove } = useHistoryRow({
    title: entry.title,
    onRename: (next) => runOnSets((sets) => sets.rename(id, next)),
    onRemove: () => runOnSets((sets) => sets.remove(set)),
  });
  return (
    <tr ref={row} className={rowLook}>
      <td className={`${cellLook} max-phone:row-span-2`} />
      <th scope="row" className={`${cellLook} font-[550] max-phone:col-span-2 max-phone:text-15`}>
        {isRenaming ? (
          <RenameField title={entry.title} label="Embedding set title" onDone={endRename} />
        ) : (
          <span className="flex items-center gap-2">
            <a
              className={titleLook}
              href={labPath}
              dir="auto"
              onClick={({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey || requestSet()}
            >
              {title}
            </a>
            <Tag>Embeddings</Tag>
          </span>
        )}
      </th>
      <td className={`${cellLook} text-ink-3 max-[900px]:hidden!`}>{describeExtent(entry)}</td>
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
    </tr>
  );
}
