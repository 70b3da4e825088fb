import { clsx } from 'clsx';
import type { MouseEvent } from 'react';

import type { Session } from '../../conversation/session/types.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { toPath } from '../../state/route.ts';
import type { SessionMatches } from '../../state/sessions/library-search.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Boundary } from '../../ui/display/boundary.tsx';
import { describeExtent, formatTokenCount } from './history-entries.ts';
import {
  HistoryCell,
  HistoryRow,
  HistoryTitleCell,
  MatchLink,
  ModelsAndLastUse,
  TitleField,
  RowTools,
  SearchSnippet,
  TitleLink,
} from './row-parts.tsx';
import { useHistoryRow } from './use-history-row.ts';
import type { SessionActions } from './use-session-actions.ts';

interface SessionRowProps {
  /** Index of the row in the table. */
  index: number;
  session: Session;
  /** Current time, in epoch ms. */
  nowMs: number;
  /** Search matches in the texts of the session. */
  matches: SessionMatches | undefined;
  isSelected: boolean;
  onSelect: () => void;
  actions: SessionActions;
}

/** Row of a session: title, prompt and actions. An error in one row does not affect the others. */
export function SessionRow(props: SessionRowProps) {
  return (
    <Boundary
      renderFallback={(error, retry) => (
        <tr data-index={props.index} aria-rowindex={props.index + 2}>
          <HistoryTitleCell className="pl-4 font-medium" colSpan={7}>
            {getDisplayTitle(props.session.title)} could not be displayed ({error.message}).{' '}
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

function Row({ index, session, nowMs, matches, isSelected, onSelect, actions }: SessionRowProps) {
  const { id, summary } = session;
  const title = getDisplayTitle(session.title);
  const models = summary?.models ?? [];
  const firstMatch = matches?.texts[0];
  const { isRenaming, startRename, endRename } = useHistoryRow({
    title: session.title,
    onRename: (next) => actions.rename(id, next),
  });

  return (
    <HistoryRow index={index} data-selected={isSelected || undefined}>
      <HistoryCell className="overflow-visible! pr-0! pl-4 text-clip! max-phone:row-span-2">
        <Checkbox label={`Select ${title}`} checked={isSelected} onChange={onSelect} />
      </HistoryCell>
      <HistoryTitleCell>
        {isRenaming ? (
          <TitleField title={session.title} onDone={endRename} />
        ) : (
          <TitleLink
            href={toPath({ screen: 'playground', sessionId: id })}
            onClick={firstMatch && createMatchHandler(() => actions.openMatch(id, firstMatch.recordId))}
          >
            {title}
          </TitleLink>
        )}
        {matches && <SessionMatchList id={id} matches={matches} actions={actions} />}
      </HistoryTitleCell>
      <HistoryCell className="text-ink-3 @max-4xl/page:hidden!">{describeExtent(session)}</HistoryCell>
      <ModelsAndLastUse models={models} lastUsedAt={session.updatedAt} nowMs={nowMs} />
      <RowTools
        title={title}
        tokenCell={
          <HistoryCell
            className={clsx(
              'text-right tabular-nums max-phone:hidden!',
              summary?.tokens === undefined && 'text-ink-3',
            )}
            title={summary?.tokensEstimated ? 'Estimated: some answers reported no usage' : undefined}
          >
            {formatTokenCount(session)}
          </HistoryCell>
        }
        onOpen={() => actions.open(id)}
        onExport={() => actions.exportSessions([id])}
        onRename={startRename}
        onDuplicate={() => actions.duplicate(id)}
        onRemove={() => actions.remove(id)}
      />
    </HistoryRow>
  );
}

/** Returns the click handler of a link that opens a match; with a modifier key, the browser opens the link. */
function createMatchHandler(open: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  };
}

/** Search matches; each one opens the session at that position. */
function SessionMatchList({
  id,
  matches,
  actions,
}: {
  id: string;
  matches: SessionMatches;
  actions: SessionActions;
}) {
  const href = toPath({ screen: 'playground', sessionId: id });
  const [first] = matches.texts;
  const createOpenHandler = (record: string) => createMatchHandler(() => actions.openMatch(id, record));
  return (
    <>
      {matches.texts.map((text, index) => (
        <MatchLink
          key={index}

          href={href}

          onClick={createOpenHandler(text.recordId)}
        >
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
