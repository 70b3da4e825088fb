import { useId, useState } from 'react';

import { useStatus } from '../../features/health/use-status.ts';
import { usePlayground, usePrefs } from '../../state/use-playground.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { SettingRow } from './setting-row.tsx';

/** How many requests per minute the app sends at most: lower than the server's own limit, or the same. */
export function RequestsPerMinute() {
  const { prefs, queue } = usePlayground();
  const { data: status } = useStatus();
  const savedLimit = usePrefs((state) => state.requestsPerMinute);
  const [text, setText] = useState(savedLimit === undefined ? '' : String(savedLimit));
  const id = useId();
  const serverLimit = status && !status.loginRequired ? status.requestsPerMinute : undefined;
  const problem = validateLimit(text, serverLimit);

  const changeLimit = (nextText: string) => {
    setText(nextText);
    if (validateLimit(nextText, serverLimit) !== undefined) return;
    prefs.setState({ requestsPerMinute: nextText.trim() === '' ? undefined : Number(nextText) });
    queue.recheck();
  };

  return (
    <SettingRow
      name="Requests per minute"
      description={problem ?? describeServerLimit(serverLimit)}
      descriptionId={id}
      isProblem={problem !== undefined}
    >
      <NumberField
        label="Requests per minute"
        text={text}
        onChange={changeLimit}
        onUnset={() => changeLimit('')}
        startText={String(serverLimit || 50)}
        placeholder={serverLimit === 0 ? 'no limit' : String(serverLimit ?? '')}
        invalid={problem !== undefined}
        describedBy={id}
        min={1}
        step={1}
        {...(serverLimit ? { max: serverLimit } : {})}
      />
    </SettingRow>
  );
}

/** What is wrong with a limit as it was typed, where the server allows so many; a wrong one changes nothing. */
export function validateLimit(text: string, serverLimit: number | undefined): string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    return 'Must be a whole number, 1 or more. The limit has not changed.';
  if (serverLimit && value > serverLimit)
    return `Must be 1 to ${serverLimit}, the server limit. The limit has not changed.`;
  return undefined;
}

function describeServerLimit(serverLimit: number | undefined): string {
  if (serverLimit === undefined) return 'Extra requests wait.';
  if (serverLimit === 0) return 'The server sets no limit. Requests beyond yours wait.';
  return `Leave empty for the server limit (${serverLimit}). Extra requests wait.`;
}
