import { clsx } from 'clsx';
import { useState, type MouseEvent } from 'react';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import { formatRelativeTime } from '../../lib/relative-time.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { toPath } from '../../state/route.ts';
import type { SessionMatches } from '../../state/sessions/library-search.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { IconButton, iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { Boundary } from '../../ui/display/boundary.tsx';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { type IconComponent } from '../../ui/icons.tsx';
import { Copy, Download, Pencil, Trash2 } from '../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import {
  describeExtent,
  formatTokenCount,
  getEntryKind,
  isSetEntry,
  type HistoryEntry,
} from './history-entries.ts';
import {
  HistoryCell,
  HistoryTitleCell,
  kindIcons,
  MatchLink,
  TitleField,
  SearchSnippet,
  TitleLink,
} from './row-parts.tsx';
import { getEntryRoute, type EntryActions } from './use-entry-actions.ts';

interface EntryRowProps {
  /** Index of the row in the table, from the first one below the column headers. */
  index: number;
  entry: HistoryEntry;
  /** Current time, in epoch ms. */
  nowMs: number;
  /** Search matches in the texts of a session. */
  matches: SessionMatches | undefined;
  /** The text of a trial that contains the most search words. */
  snippet: Snippet | undefined;
  isSelected: boolean;
  onSelect: () => void;
  actions: EntryActions;
}

/** Row of an entry: title, models and actions. An error in one row does not affect the others. */
export function EntryRow(props: EntryRowProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <tr data-index={props.index} aria-rowindex={props.index + 2}>
          <HistoryTitleCell className="pl-4 font-medium" colSpan={7}>
            {getDisplayTitle(props.entry.title)} could not be displayed ({error.message}).{' '}
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          </HistoryTitleCell>
        </tr>
      )}
    >
      <Row {...props} />
    </Boundary>
  );
}

const fullDateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

function Row({ index, entry, nowMs, matches, snippet, isSelected, onSelect, actions }: EntryRowProps) {
  const { id, summary } = entry;
  const kind = getEntryKind(entry);
  const Icon = kindIcons[kind];
  const title = getDisplayTitle(entry.title);
  const models = summary?.models ?? [];
  const lastUse = new Date(entry.updatedAt);
  const href = toPath(getEntryRoute(entry));
  const firstMatch = matches?.texts[0];
  const [isRenaming, setIsRenaming] = useState(false);
  const endRename = (next?: string) => {
    setIsRenaming(false);
    if (next !== undefined && next !== entry.title) actions.rename(entry, next);
  };
  const handleTitleClick = (event: MouseEvent) => {
    if (hasModifierKey(event)) return;
    if (isSetEntry(entry)) actions.requestSet(id);
    if (!firstMatch) return;
    event.preventDefault();
    actions.openMatch(id, firstMatch.recordId);
  };

  return (
    <tr
      ref={moveFocusOnRemoval}
      data-index={index}
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      className="group/entry border-b border-line hover:bg-bench data-selected:bg-sunken max-phone:grid max-phone:grid-cols-[28px_minmax(0,1fr)_auto_44px] max-phone:items-center max-phone:gap-x-2 max-phone:py-2 max-phone:pr-1 max-phone:pl-3"
    >
      <HistoryCell className="overflow-visible! pr-0! pl-4 text-clip! max-phone:row-span-2">
        <Checkbox label={`Select ${title}`} checked={isSelected} onChange={onSelect} />
      </HistoryCell>
      <HistoryTitleCell>
        <span className="flex items-center gap-2">
          <Icon className="icon-14 flex-none text-ink-3" aria-hidden />
          <span className="sr-only">{kind}</span>
          {isRenaming ? (
            <TitleField title={entry.title} label={`${kind} title`} onDone={endRename} />
          ) : (
            <TitleLink href={href} onClick={handleTitleClick}>
              {title}
            </TitleLink>
          )}
        </span>
        {matches && <SessionMatchList id={id} href={href} matches={matches} actions={actions} />}
        {snippet && (
          <MatchLink href={href}>
            <SearchSnippet snippet={snippet} {...(snippet.source === 'prompt' ? { label: 'Case' } : {})} />
          </MatchLink>
        )}
      </HistoryTitleCell>
      <HistoryCell className="text-ink-3 @max-4xl/page:hidden!">{describeExtent(entry)}</HistoryCell>
      <HistoryCell
        className="font-mono text-ink-2 max-phone:col-start-2 max-phone:row-start-2"
        title={models.join('\n')}
      >
        {models.slice(0, 2).join(', ')}
        {models.length > 2 && ` and ${models.length - 2} more`}
      </HistoryCell>
      <HistoryCell className="text-ink-3 max-phone:col-start-3 max-phone:row-start-2">
        <time dateTime={lastUse.toISOString()} title={fullDateFormat.format(lastUse)}>
          {formatRelativeTime(entry.updatedAt, nowMs)}
        </time>
      </HistoryCell>
      <HistoryCell
        className={clsx(
          'text-right tabular-nums max-phone:hidden!',
          summary?.tokens === undefined && 'text-ink-3',
        )}
        title={summary?.tokensEstimated ? 'Estimated: some answers reported no usage' : undefined}
      >
        {formatTokenCount(entry)}
      </HistoryCell>
      <RowTools title={title} entry={entry} actions={actions} onRename={() => setIsRenaming(true)} />
    </tr>
  );
}

interface RowToolsProps {
  title: string;
  entry: HistoryEntry;
  actions: EntryActions;
  onRename: () => void;
}

/** Cell with the actions of an entry: icons that appear on hover and focus, on phones a menu. */
function RowTools({ title, entry, actions, onRename }: RowToolsProps) {
  const tools: (MenuItem & { Icon: IconComponent })[] = [
    { label: 'Export', Icon: Download, onPick: () => actions.exportEntries([entry]) },
    { label: 'Rename', Icon: Pencil, onPick: onRename },
    { label: 'Duplicate', Icon: Copy, onPick: () => actions.duplicate(entry) },
    {
      label: 'Delete',
      Icon: Trash2,
      isDestructive: true,
      startsGroup: true,
      onPick: () => actions.remove(entry),
    },
  ];
  return (
    <td className="px-3 text-right align-top max-phone:col-start-4 max-phone:row-span-2 max-phone:row-start-1 max-phone:block max-phone:p-0">
      <span className="inline-flex h-7 items-center align-middle opacity-0 group-focus-within/entry:opacity-100 group-hover/entry:opacity-100 max-phone:hidden pointer-coarse:opacity-100">
        {tools.map(({ label, Icon, onPick }) => (
          <IconButton key={label} size="small" label={`${label} ${title}`} tip={label} onClick={onPick}>
            <Icon className="icon-14" aria-hidden />
          </IconButton>
        ))}
      </span>
      <Menu
        label={`Menu for ${title}`}
        className={clsx(iconButtonVariants(), 'phone:hidden')}
        items={[
          { label: 'Open', onPick: () => actions.open(entry) },
          ...tools.map(({ Icon: _, ...item }) => item),
        ]}
      />
    </td>
  );
}

/** Returns true if the browser opens the link elsewhere. */
function hasModifierKey({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}

interface SessionMatchListProps {
  id: SessionId;
  href: string;
  matches: SessionMatches;
  actions: EntryActions;
}

/** Search matches; each one opens the session at that position. */
function SessionMatchList({ id, href, matches, actions }: SessionMatchListProps) {
  const [first] = matches.texts;
  const createOpenHandler = (recordId: string) => (event: MouseEvent) => {
    if (hasModifierKey(event)) return;
    event.preventDefault();
    actions.openMatch(id, recordId);
  };
  return (
    <>
      {matches.texts.map((text, index) => (
        <MatchLink key={index} href={href} onClick={createOpenHandler(text.recordId)}>
          <SearchSnippet snippet={text} />
        </MatchLink>
      ))}
      {matches.moreCount > 0 && first && (
        <MatchLink href={href} onClick={createOpenHandler(first.recordId)}>
          {matches.moreCount.toLocaleString('en')} more in this session
        </MatchLink>
      )}
    </>
  );
}
