import { Pencil, Trash2 } from 'lucide-react';

import type { Snippet } from '../../conversation/files/search.ts';
import { shownTitle } from '../../lib/text/trim.ts';
import { orTellProblem } from '../../state/notices.ts';
import { usePlayground } from '../../state/react.tsx';
import { trialPath } from '../../state/route.ts';
import type { Trials } from '../../state/trials/trials.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton, iconButtonLook } from '../../ui/controls/icon-button.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import {
  cellLook,
  ModelsAndWhen,
  placeLook,
  rowLook,
  SearchSnippet,
  TitleField,
  titleLook,
} from './row-parts.tsx';
import { extentWords, type TrialEntry } from './session-list.ts';
import { useRow } from './use-row.ts';

interface TrialRowProps {
  entry: TrialEntry;
  /** Epoch milliseconds. */
  now: number;
  /** The text that holds most of what is searched for. */
  found: Snippet | undefined;
}

/** One trial between the sessions. */
export function TrialRow({ entry, now, found }: TrialRowProps) {
  const { notices, router, trials } = usePlayground();
  const { id } = entry;
  const title = shownTitle(entry.title);
  const path = trialPath(id);
  const act = (does: (open: Trials) => Promise<void>) => orTellProblem(notices, trials.open().then(does));
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
      <td className={`${cellLook} text-right text-ink-3 max-phone:hidden!`}>not counted</td>
      <td className="px-3 text-right align-top max-phone:col-start-4 max-phone:row-span-2 max-phone:row-start-1 max-phone:block max-phone:p-0">
        <span className="inline-flex h-7 items-center align-middle max-phone:hidden">
          <IconButton size="small" label={`Rename ${title}`} tip="Rename" onClick={startRename}>
            <Pencil className="icon-14" aria-hidden />
          </IconButton>
          <IconButton size="small" label={`Delete ${title}`} tip="Delete" onClick={remove}>
            <Trash2 className="icon-14" aria-hidden />
          </IconButton>
        </span>
        <Menu
          label={`Menu of ${title}`}
          className={classes(iconButtonLook(), 'phone:hidden')}
          items={[
            { label: 'Open', onPick: () => router.go({ screen: 'page', path }) },
            { label: 'Rename', onPick: startRename },
            { label: 'Delete', danger: true, startsGroup: true, onPick: remove },
          ]}
        />
      </td>
    </tr>
  );
}
