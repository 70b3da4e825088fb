import { formatCount, plural } from '../../../lib/format.ts';
import { usePlayground, useQueue } from '../../../state/react.tsx';
import { useControlState } from '../hooks/use-lab-control.ts';

/** What embedding would cost, before anything is spent. */
export function CostPreview() {
  const { queue } = usePlayground();
  const plan = useControlState((state) => state.plan);
  const reading = useControlState((state) => state.reading);
  const models = useControlState((state) => state.input.models);
  const isUpToDate = useControlState((state) => state.isUpToDate);
  const sent = useQueue((state) => state.sentAt.length);
  const count = reading.items.length;
  const limit = queue.limit();
  if (count === 0)
    return <p className="cost mut">One text per line. A line “# Name” starts a group with that name.</p>;
  const words = [plural(count, 'text')];
  if (reading.duplicates > 0) words.push(`${plural(reading.duplicates, 'duplicate')}, sent once`);
  if (reading.blanks > 0) words.push(`${plural(reading.blanks, 'blank line')} skipped`);
  return (
    <p className="cost mut">
      {words.join(', ')}.{' '}
      {models.A === ''
        ? 'Choose a model.'
        : isUpToDate
          ? 'All embedded.'
          : plan && costInWords(plan, limit, limit === 0 ? undefined : Math.max(0, limit - sent))}
    </p>
  );
}

function costInWords(
  plan: { known: number; toSend: number; requests: { least: number; most: number }; tokens: number },
  limit: number,
  free: number | undefined,
): string {
  const { known, toSend, requests, tokens } = plan;
  if (toSend === 0) return 'All stored: no request needed.';
  const stored = known > 0 ? `${formatCount(known)} stored. ` : '';
  const range =
    requests.least === requests.most
      ? plural(requests.most, 'request')
      : `about ${plural(requests.least, 'request')} (at most ${formatCount(requests.most)})`;
  const minutes =
    limit === 0 || requests.most <= (free ?? 0)
      ? ''
      : `, up to about ${plural(Math.ceil(requests.most / limit), 'minute')} at ${formatCount(limit)} per minute`;
  return `${stored}${formatCount(toSend)} to send: ${range}, ~${plural(tokens, 'token')}${minutes}.`;
}
