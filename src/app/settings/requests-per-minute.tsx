import { useId, useState } from 'react';

import { useGatewayStatuses } from '../../features/health/use-status.ts';
import { usePrefs, useAppServices } from '../../state/contexts.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { SettingRow } from './setting-row.tsx';

/** Sets the maximum number of requests per minute, at most the limit of the server. */
export function RequestsPerMinute() {
  const { prefs } = useAppServices();
  const statuses = useGatewayStatuses();
  const savedLimit = usePrefs((state) => state.requestsPerMinute);
  const [text, setText] = useState(savedLimit === undefined ? '' : String(savedLimit));
  const id = useId();
  const limits = statuses.map(({ requestsPerMinute }) => requestsPerMinute);
  // The largest limit of the gateways: a higher number has no effect on any of them. 0 means that one has no limit.
  const serverLimit = limits.length === 0 ? undefined : limits.includes(0) ? 0 : Math.max(...limits);
  const problem = validateLimit(text, serverLimit);

  const changeLimit = (nextText: string) => {
    setText(nextText);
    if (validateLimit(nextText, serverLimit) !== undefined) return;
    prefs.setState({ requestsPerMinute: nextText.trim() === '' ? undefined : Number(nextText) });
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

/** Returns what is wrong with a typed limit, given the server's limit. An invalid limit is not applied. */
export function validateLimit(text: string, serverLimit: number | undefined): string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    return 'Enter a whole number, 1 or more. The limit is unchanged.';
  if (serverLimit && value > serverLimit)
    return `Enter 1 to ${serverLimit} (server limit). The limit is unchanged.`;
  return undefined;
}

function describeServerLimit(serverLimit: number | undefined): string {
  if (serverLimit === undefined) return 'Requests above the limit are queued.';
  if (serverLimit === 0) return 'The server sets no limit. Requests above your limit are queued.';
  return `Leave empty for the server limit (${serverLimit}). Requests above it are queued.`;
}
