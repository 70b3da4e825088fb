import type { Setup } from '../../conversation/session/types.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';

type ReasoningChoice = 'with calls' | NonNullable<Setup['sendReasoning']>;

const choices: readonly { value: ReasoningChoice; label: string }[] = [
  { value: 'with calls', label: 'With tool calls' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
];

interface SendReasoningProps {
  /** Setups of the lanes in scope; the first one is shown. */
  setups: readonly Setup[];
  onChange: (edit: (setup: Setup) => Setup) => void;
}

/** Setting for when the reasoning of earlier answers is sent back to the model. */
export function SendReasoning({ setups, onChange }: SendReasoningProps) {
  const values = setups.map(({ sendReasoning }): ReasoningChoice => sendReasoning ?? 'with calls');
  const [value = 'with calls'] = values;
  return (
    <div className="grid gap-1 py-1.5 max-phone:px-4">
      <span className="text-12 text-ink-2">
        Send reasoning back
        {values.some((item) => item !== value) && <span className="text-ink-3"> (lanes differ)</span>}
      </span>
      <div className="grid justify-start max-phone:justify-stretch">
        <Segmented
          label="Send reasoning back"
          value={value}
          choices={choices}
          onChange={(next) =>
            onChange(({ sendReasoning: _, ...setup }) =>
              next === 'with calls' ? setup : { ...setup, sendReasoning: next },
            )
          }
        />
      </div>
    </div>
  );
}
