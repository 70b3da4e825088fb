import type { Snippet } from '../../conversation/files/text-search.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { reportFailure } from '../../state/notices.ts';
import { getTrialPath } from '../../state/route.ts';
import type { Trials } from '../../state/trials/trials-store.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { extentWords, type TrialEntry } from './history-entries.ts';
import {
  cellLook,
  ModelsAndWhen,
  placeLook,
  rowLook,
  RowTools,
  SearchSnippet,
  TitleField,
  titleLook,
} from './row-parts.tsx';
import { useRow } from './use-history-row.ts';

interface TrialRowProps {
  entry: TrialEntry;
  /** Epoch milliseconds. */
  now: number;
  /** The text that holds most of what is searched for. */
  found: Snippet | undefined;
}

/** One trial between the sessions. */
export function TrialRow({ entry, now, found }: TrialRowProps) {
  const { notices, router, lazyTrials } = usePlayground();
  const { id } = entry;
  const title = getDisplayTitle(entry.title);
  const path = getTrialPath(id);
  const act = (does: (open: Trials) => Promise<void>) => reportFailure(notices, lazyTrials.load().then(does));
  const { row, isRenaming, startRename, endRename, remove } = useRow({
    title: entry.title,
    onRename: (next) => act((open) => open.rename(id, next)),
    onRemove: () => act((open) => open.remove(id)),
  });
  return (
    <tr ref={row} className={rowLook}>
      <td className={`${cellLook} max-phone:row-span-2`} />
      <th scope="row" className={`${cellLook} font-[550] max-phone:col-span-2 max-phone:text-15`}>
        {isRenaming ? (
          <TitleField title={entry.title} label="Trial title" onDone={endRename} />
        ) : (
          <span className="flex items-center gap-2">
            <a className={titleLook} href={path} dir="auto">
              {title}
            </a>
            <Tag>Trial</Tag>
          </span>
        )}
        {found && (
          <a className={placeLook} href={path} dir="auto">
            <SearchSnippet snippet={found} />
          </a>
        )}
      </th>
      <td className={`${cellLook} text-ink-3 max-[900px]:hidden!`}>{extentWords(entry)}</td>
      <ModelsAndWhen models={entry.trial.models} at={entry.updatedAt} now={now} />
      <RowTools
        title={title}
        onOpen={() => router.navigate({ screen: 'page', path })}
        onRename={startRename}
        onRemove={remove}
      />
    </tr>
  );
}
