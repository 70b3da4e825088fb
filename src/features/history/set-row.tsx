import { Pencil, Trash2 } from 'lucide-react';

import { shownTitle } from '../../lib/text/trim.ts';
import { openKeptSets, type KeptSets } from '../../state/lab/kept-sets.ts';
import { orTellProblem } from '../../state/notices.ts';
import { usePlayground } from '../../state/react.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton, iconButtonLook } from '../../ui/controls/icon-button.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { cellLook, ModelsAndWhen, rowLook, TitleField, titleLook } from './row-parts.tsx';
import { extentWords, type SetEntry } from './session-list.ts';
import { useRow } from './use-row.ts';

interface SetRowProps {
  entry: SetEntry;
  /** Epoch milliseconds. */
  now: number;
}

const labPath = '/embeddings';

/** One set of texts that was embedded, between the sessions. */
export function SetRow({ entry, now }: SetRowProps) {
  const playground = usePlayground();
  const { notices, router } = playground;
  const { id, set } = entry;
  const title = shownTitle(entry.title);
  const act = (does: (sets: KeptSets) => unknown) =>
    orTellProblem(notices, openKeptSets(playground).then(does));
  const want = () => act((sets) => sets.want(id));
  const { row, isRenaming, startRename, endRename, remove } = useRow({
    title: entry.title,
    onRename: (next) => act((sets) => sets.rename(id, next)),
    onRemove: () => act((sets) => sets.remove(set)),
  });
  return (
    <tr ref={row} className={rowLook}>
      <td className={`${cellLook} max-phone:row-span-2`} />
      <th scope="row" className={`${cellLook} font-[550] max-phone:col-span-2 max-phone:text-15`}>
        {isRenaming ? (
          <TitleField title={entry.title} label="Title of the texts" onDone={endRename} />
        ) : (
          <span className="flex items-center gap-2">
            <a
              className={titleLook}
              href={labPath}
              dir="auto"
              onClick={({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey || want()}
            >
              {title}
            </a>
            <Tag>Embeddings</Tag>
          </span>
        )}
      </th>
      <td className={`${cellLook} text-ink-3 max-[900px]:hidden!`}>{extentWords(entry)}</td>
      <ModelsAndWhen models={set.models} at={entry.updatedAt} now={now} />
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
            {
              label: 'Open',
              onPick: () => {
                want();
                router.go({ screen: 'page', path: labPath });
              },
            },
            { label: 'Rename', onPick: startRename },
            { label: 'Delete', danger: true, startsGroup: true, onPick: remove },
          ]}
        />
      </td>
    </tr>
  );
}
