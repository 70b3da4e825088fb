import { useId, useState } from 'react';

import { useStatus } from '../../features/health/use-status.ts';
import { usePlayground, usePrefs } from '../../state/use-playground.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { SettingRow } from './setting-row.tsx';

/** How many requests per minute the app sends at most: lower than the server's own limit, or the same. */
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
    <SettingRow
      name="Requests per minute"
      about={problem ?? aboutWords(server)}
      aboutId={id}
      isProblem={problem !== undefined}
    >
      <NumberField
        label="Requests per minute"
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
    </SettingRow>
  );
}

/** What is wrong with a limit as it was typed, where the server allows so many; a wrong one changes nothing. */
export function problemOf(text: string, server: number | undefined): string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    return 'Must be a whole number, 1 or more. The limit has not changed.';
  if (server && value > server) return `Must be 1 to ${server}, the server limit. The limit has not changed.`;
  return undefined;
}

function aboutWords(server: number | undefined): string {
  if (server === undefined) return 'Extra requests wait.';
  if (server === 0) return 'The server sets no limit. Requests beyond yours wait.';
  return `Leave empty for the server limit (${server}). Extra requests wait.`;
}
