import { useId, useState } from 'react';

import { useStatus } from '../../features/health/use-status.ts';
import { usePlayground, usePrefs } from '../../state/react.tsx';
import { NumberField } from '../../ui/number-field.tsx';

/** How many requests a minute the app sends at most: lower than the server's own limit, or the same. */
export function RequestsAMinute() {
  const { prefs, queue } = usePlayground();
  const { data: status } = useStatus();
  const kept = usePrefs((state) => state.requestsPerMinute);
  const [text, setText] = useState(kept === undefined ? '' : String(kept));
  const id = useId();
  const server = status && !status.loginRequired ? status.requestsPerMinute : undefined;
  const problem = problemOf(text, server);

  const change = (next: string) => {
    setText(next);
    if (problemOf(next, server) !== undefined) return;
    prefs.setState({ requestsPerMinute: next.trim() === '' ? undefined : Number(next) });
    queue.recheck();
  };

  return (
    <div className="set-r">
      <span className="set-n" aria-hidden>
        Requests a minute
      </span>
      <NumberField
        label="Requests a minute"
        text={text}
        onChange={change}
        onUnset={() => change('')}
        start={String(server || 50)}
        placeholder={server === 0 ? 'no limit' : String(server ?? '')}
        invalid={problem !== undefined}
        describedBy={id}
        min={1}
        step={1}
        {...(server ? { max: server } : {})}
      />
      <p id={id} className={problem === undefined ? undefined : 'problem'}>
        {problem ?? aboutWords(server)}
      </p>
    </div>
  );
}

/** What is wrong with a limit as it was typed, where the server allows so many; a wrong one changes nothing. */
export function problemOf(text: string, server: number | undefined): string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    return 'Use a whole number from 1 up. The limit stays as it was until then.';
  if (server && value > server)
    return `The server sends at most ${server}, so use 1 to ${server}. The limit stays as it was until then.`;
  return undefined;
}

function aboutWords(server: number | undefined): string {
  if (server === undefined) return 'Requests beyond it wait their turn.';
  if (server === 0) return 'The server sets no limit. Requests beyond yours wait their turn.';
  return `Empty: the ${server} that the server allows. Requests beyond it wait their turn.`;
}
