import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';

import type { Snippet } from '../../conversation/files/search.ts';
import type { Session } from '../../conversation/session/types.ts';
import { formatCount } from '../../lib/format.ts';
import { whenOf } from '../../lib/when.ts';
import { pathOfRoute } from '../../state/route.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Boundary } from '../../ui/display/boundary.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import type { SessionActions } from './use-session-actions.ts';

interface SessionRowProps {
  session: Session;
  /** Epoch milliseconds. */
  now: number;
  /** What a search found in its texts. */
  snippet: Snippet | undefined;
  actions: SessionActions;
}

/** One session: what it is called, what was asked, and what can be done with it. One that breaks leaves the others. */
export function SessionRow(props: SessionRowProps) {
  return (
    <Boundary
      renderFallback={(error, again) => (
        <tr>
          <th scope="row" className="title" colSpan={6}>
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

function Row({ session, now, snippet, actions }: SessionRowProps) {
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const { id, title, summary } = session;
  const models = summary?.models ?? [];

  const remove = () => {
    // The row takes the focus with it: the next one gets it.
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    neighbour?.querySelector('a')?.focus();
    actions.remove(id);
  };
  const rename = (next: string | undefined) => {
    setRenaming(false);
    if (next !== undefined && next !== title) actions.rename(id, next);
    requestAnimationFrame(() => row.current?.querySelector('a')?.focus());
  };

  return (
    <tr ref={row}>
      <th scope="row" className="title">
        {renaming ? (
          <TitleField title={title} onDone={rename} />
        ) : (
          <a href={pathOfRoute({ screen: 'playground', sessionId: id })} dir="auto">
            {title}
          </a>
        )}
        {snippet && <SearchSnippet snippet={snippet} />}
      </th>
      <td className="kind">{session.laneIds.length === 1 ? 'Chat' : `${session.laneIds.length} lanes`}</td>
      <td className="models" title={models.join('\n')}>
        {models.slice(0, 2).join(', ')}
        {models.length > 2 && ` and ${models.length - 2} more`}
      </td>
      <td className="when">
        <time
          dateTime={new Date(session.updatedAt).toISOString()}
          title={new Date(session.updatedAt).toLocaleString('en-GB')}
        >
          {whenOf(session.updatedAt, now)}
        </time>
      </td>
      <td className="n">
        {summary?.tokens === undefined ? (
          <span className="mut">not reported</span>
        ) : (
          formatCount(summary.tokens)
        )}
      </td>
      <td className="acts">
        <span className="row-buttons">
          <IconButton size="small" label={`Rename ${title}`} tip="Rename" onClick={() => setRenaming(true)}>
            <Pencil className="i s" aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label={`Duplicate ${title}`}
            tip="Duplicate"
            onClick={() => actions.duplicate(id)}
          >
            <Copy className="i s" aria-hidden />
          </IconButton>
          <IconButton size="small" label={`Delete ${title}`} tip="Delete" onClick={remove}>
            <Trash2 className="i s" aria-hidden />
          </IconButton>
        </span>
        <Menu
          label={`Session menu ${title}`}
          className="ib row-menu"
          items={[
            { label: 'Open', onPick: () => actions.open(id) },
            { label: 'Rename', onPick: () => setRenaming(true) },
            { label: 'Duplicate', onPick: () => actions.duplicate(id) },
            { label: 'Delete', danger: true, startsGroup: true, onPick: remove },
          ]}
        />
      </td>
    </tr>
  );
}

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
    <span className="snippet" dir="auto">
      <b>{who[snippet.who]}</b>{' '}
      {snippet.pieces.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}
    </span>
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
      className="nf tx title-input"
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
