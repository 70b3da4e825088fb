import { describeNote } from '../../../conversation/reply/describe-note.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { getEntryTime, type TapeEntry } from '../../../gateway/stream/tape.ts';
import { formatDuration } from '../../../lib/format.ts';
import type { TapeFeed } from '../../../state/runs/tape-feed.ts';
import { noPrice, useAnswerCost } from '../../models/use-model-price.ts';
import { ConformanceView } from './conformance-view.tsx';
import { statusWords } from './format-status.ts';
import { HeadersList } from './headers-list.tsx';
import { NamesBehind } from './hidden-names.tsx';
import { columnLooks, Fact, Facts, PanelHead, PanelNote, SameAsSent, TwoColumns } from './panel-layout.tsx';

interface ResponseTabProps {
  run: Run;
  feed: TapeFeed;
  /** Names are hidden: what tells the model is asked for first. */
  isBlind: boolean;
  onNames: () => void;
}

const ends = {
  closed: 'Stream closed normally',
  aborted: 'Stopped here',
  lost: 'Connection lost',
  timeout: 'Timed out here',
};

/** What came back beside the text: status, headers, request ID, times, and how well it keeps to the format. */
export function ResponseTab({ run, feed, isBlind, onNames }: ResponseTabProps) {
  const { count, loaded } = feed.state.getState();
  const answer = feed.entries.find((entry) => 'status' in entry);
  const end = feed.entries.find((entry) => 'end' in entry);
  const isAnswered = answer !== undefined && 'status' in answer;
  const costText = useAnswerCost(run);
  const cost = costText === noPrice ? undefined : costText;
  return (
    <TwoColumns>
      <section className={columnLooks.left} aria-label="Answer" tabIndex={0}>
        <PanelHead
          title="Answer"
          note={isAnswered ? statusWords(answer.status) : loaded ? 'No status received' : ''}
        />
        <Facts>
          <Fact name="Request ID sent" value={run.requestId} />
          <Fact
            name="Request ID returned"
            value={run.returnedRequestId ?? (isAnswered ? 'not returned' : undefined)}
          >
            {run.returnedRequestId !== undefined && run.returnedRequestId === run.requestId && <SameAsSent />}
          </Fact>
          <Fact name="Model" value={isBlind && run.model !== undefined ? 'hidden' : run.model} />
          <Fact name="Cost" value={isBlind && cost !== undefined ? 'hidden' : cost} />
          <Fact name="Response id" value={run.responseId} />
          {isAnswered && answer.proxied !== true && (
            <Fact name="Answered by" value="the Bench server, not the gateway" />
          )}
        </Facts>
        <PanelHead
          divided
          title="Times"
          note={
            run.timedBy === 'server'
              ? 'at the Bench server, since it sent the request on'
              : 'since the request start'
          }
        />
        <Facts>
          {timesOf(run, answer, end).map(([name, ms]) => (
            <Fact key={name} name={name} value={words(ms)} />
          ))}
        </Facts>
        {end && 'end' in end && <PanelNote>{ends[end.end]}.</PanelNote>}
        {run.notes.length > 0 && (
          <>
            <PanelHead title="Notes" divided />
            <ul className="mt-2 text-12 text-ink-3">
              {run.notes.map((note) => (
                <li key={note.kind}>{describeNote(note, isBlind)}</li>
              ))}
            </ul>
          </>
        )}
        {isAnswered && !isBlind && <HeadersList answer={answer} sentId={run.requestId} />}
      </section>
      <div className={columnLooks.right} role="group" aria-label="Conformance" tabIndex={0}>
        {isBlind && <NamesBehind onShow={onNames} />}
        {count > 0 && !isBlind && <ConformanceView tape={feed.entries} key={count} />}
      </div>
    </TwoColumns>
  );
}

function timesOf(run: Run, answer: TapeEntry | undefined, end: TapeEntry | undefined): [string, number][] {
  const times: [string, number | undefined][] = [
    ['Headers', answer && getEntryTime(answer)],
    ['First token', run.firstTokenMs],
    ['First text of the answer', run.firstTextMs === run.firstTokenMs ? undefined : run.firstTextMs],
    ['Last event with text', run.lastEventMs],
    ['End', end ? getEntryTime(end) : run.endedMs],
  ];
  return times.flatMap(([name, ms]): [string, number][] => (ms === undefined ? [] : [[name, ms]]));
}

function words(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}
