import { Copy, Download, Pencil, Trash2 } from 'lucide-react';
import { useRef, useState, type MouseEvent } from 'react';

import type { Snippet } from '../../conversation/files/search.ts';
import type { Session } from '../../conversation/session/types.ts';
import { whenOf } from '../../lib/when.ts';
import { pathOfRoute } from '../../state/route.ts';
import type { FoundTexts } from '../../state/sessions/library-search.ts';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton, iconButtonLook } from '../../ui/controls/icon-button.tsx';
import { Boundary } from '../../ui/display/boundary.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { extentWords, tokenWords } from './session-list.ts';
import type { SessionActions } from './use-session-actions.ts';

interface SessionRowProps {
  session: Session;
  /** Epoch milliseconds. */
  now: number;
  /** What a search found in its texts. */
  found: FoundTexts | undefined;
  isSelected: boolean;
  onSelect: () => void;
  actions: SessionActions;
}

const cell =
  'h-7 truncate py-0 pr-3 text-left align-top text-[12.5px] leading-7 max-phone:block max-phone:h-auto max-phone:p-0';

/** One session: what it is called, what was asked, and what can be done with it. One that breaks leaves the others. */
export function SessionRow(props: SessionRowProps) {
  return (
    <Boundary
      renderFallback={(error, again) => (
        <tr>
          <th scope="row" className={`${cell} pl-4 font-medium`} colSpan={7}>
            {props.session.title} could not be displayed ({error.message}).{' '}
            <Button size="small" onClick={again}>
              Try again
            </Button>
          </th>
        </tr>
      )}
    >
      <Row {...props} />
    </Boundary>
  );
}

function Row({ session, now, found, isSelected, onSelect, actions }: SessionRowProps) {
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const { id, title, summary } = session;
  const models = summary?.models ?? [];
  const day = new Date(session.updatedAt);

  const remove = () => {
    // The row takes the focus with it: the next one gets it.
    const neighbour =
      linkBeside(row.current, 'nextElementSibling') ?? linkBeside(row.current, 'previousElementSibling');
    neighbour?.focus();
    actions.remove(id);
  };
  const rename = (next: string | undefined) => {
    setRenaming(false);
    if (next !== undefined && next !== title) actions.rename(id, next);
    requestAnimationFrame(() => row.current?.querySelector('a')?.focus());
  };

  return (
    <tr
      ref={row}
      data-selected={isSelected || undefined}
      className="border-b border-line hover:bg-bench data-selected:bg-sunken max-phone:grid max-phone:grid-cols-[28px_minmax(0,1fr)_auto_44px] max-phone:items-center max-phone:gap-x-2 max-phone:py-2 max-phone:pr-1 max-phone:pl-3"
    >
      <td className={`${cell} overflow-visible! pr-0! pl-4 text-clip! max-phone:row-span-2`}>
        <input
          type="checkbox"
          className="size-3.5 align-middle accent-ink"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={onSelect}
        />
      </td>
      <th
        scope="row"
        className={`${cell} font-[550] max-phone:col-span-2 max-phone:text-15 max-phone:font-[550]`}
      >
        {renaming ? (
          <TitleField title={title} onDone={rename} />
        ) : (
          <a
            className="block truncate rounded-1 decoration-edge underline-offset-3 -outline-offset-1 hover:underline max-phone:py-1.5"
            href={pathOfRoute({ screen: 'playground', sessionId: id })}
            dir="auto"
          >
            {title}
          </a>
        )}
        {found && <FoundIn id={id} found={found} actions={actions} />}
      </th>
      <td className={`${cell} text-ink-3 max-[900px]:hidden!`}>{extentWords(session)}</td>
      <td
        className={`${cell} font-mono text-mono-12 leading-7 text-ink-2 max-phone:col-start-2 max-phone:row-start-2`}
        title={models.join('\n')}
      >
        {models.slice(0, 2).join(', ')}
        {models.length > 2 && ` and ${models.length - 2} more`}
      </td>
      <td className={`${cell} text-ink-3 max-phone:col-start-3 max-phone:row-start-2`}>
        <time dateTime={day.toISOString()} title={fullDay.format(day)}>
          {whenOf(session.updatedAt, now)}
        </time>
      </td>
      <td
        className={`${cell} num text-right max-phone:hidden! ${summary?.tokens === undefined ? 'text-ink-3' : ''}`}
        title={summary?.tokensEstimated ? 'Some answers reported no usage: these are estimates' : undefined}
      >
        {tokenWords(session)}
      </td>
      <td className="px-3 text-right align-top max-phone:col-start-4 max-phone:row-span-2 max-phone:row-start-1 max-phone:block max-phone:p-0">
        <span className="inline-flex h-7 items-center align-middle max-phone:hidden">
          <IconButton size="small" label={`Export ${title}`} tip="Export" onClick={() => actions.save([id])}>
            <Download className="icon-14" aria-hidden />
          </IconButton>
          <IconButton size="small" label={`Rename ${title}`} tip="Rename" onClick={() => setRenaming(true)}>
            <Pencil className="icon-14" aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label={`Duplicate ${title}`}
            tip="Duplicate"
            onClick={() => actions.duplicate(id)}
          >
            <Copy className="icon-14" aria-hidden />
          </IconButton>
          <IconButton size="small" label={`Delete ${title}`} tip="Delete" onClick={remove}>
            <Trash2 className="icon-14" aria-hidden />
          </IconButton>
        </span>
        <Menu
          label={`Session menu ${title}`}
          className={classes(iconButtonLook(), 'phone:hidden')}
          items={[
            { label: 'Open', onPick: () => actions.open(id) },
            { label: 'Export', onPick: () => actions.save([id]) },
            { label: 'Rename', onPick: () => setRenaming(true) },
            { label: 'Duplicate', onPick: () => actions.duplicate(id) },
            { label: 'Delete', danger: true, startsGroup: true, onPick: remove },
          ]}
        />
      </td>
    </tr>
  );
}

const fullDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

/** The link of the next row in this direction that has one: headings of days have none. */
function linkBeside(
  row: Element | null,
  side: 'nextElementSibling' | 'previousElementSibling',
): HTMLAnchorElement | undefined {
  for (let each = row?.[side]; each; each = each[side]) {
    const link = each.querySelector('a');
    if (link) return link;
  }
  return undefined;
}

/** Where the words were found; each place opens the session there. */
function FoundIn({ id, found, actions }: { id: string; found: FoundTexts; actions: SessionActions }) {
  const href = pathOfRoute({ screen: 'playground', sessionId: id });
  const [first] = found.texts;
  const open = (record: string) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    actions.openAt(id, record);
  };
  return (
    <>
      {found.texts.map((text, index) => (
        <a key={index} className={placeLook} href={href} dir="auto" onClick={open(text.record)}>
          <SearchSnippet snippet={text} />
        </a>
      ))}
      {found.more > 0 && first && (
        <a className={placeLook} href={href} onClick={open(first.record)}>
          {found.more.toLocaleString('en')} more in this session
        </a>
      )}
    </>
  );
}

const placeLook =
  'block truncate rounded-1 pb-1 text-12 leading-5 font-normal text-ink-3 -outline-offset-1 hover:text-ink max-phone:py-2.5';

const who: Record<Snippet['who'], string> = {
  prompt: 'You',
  answer: 'Answer',
  reasoning: 'Reasoning',
  'tool call': 'Tool',
  note: 'Note',
};

/** The words that were found, where they stand. */
function SearchSnippet({ snippet }: { snippet: Snippet }) {
  return (
    <>
      <b className="mr-1 font-[550] text-ink-2">{who[snippet.who]}</b>{' '}
      {snippet.pieces.map(({ text, hit }, index) =>
        hit ? (
          <mark
            key={index}
            className="rounded-[2px] bg-needle-wash text-ink underline decoration-needle decoration-2 underline-offset-3"
          >
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </>
  );
}

interface TitleFieldProps {
  title: string;
  /** The new title, or nothing where it was given up or left empty. */
  onDone: (title?: string) => void;
}

/** A title being typed: Enter and leaving the field keep it, Escape gives it up. */
function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title);
  // Enter and Escape take the field away, which also blurs it.
  const isDone = useRef(false);
  const finish = (next: string | undefined) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(next === undefined || next.trim() === '' ? undefined : next.trim());
  };
  return (
    <input
      className="nf tx w-full text-[12.5px] font-[550] max-phone:h-11 max-phone:text-[16px]"
      aria-label="Session title"
      dir="auto"
      value={text}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(text);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        finish(undefined);
      }}
    />
  );
}
