import { useLane, usePlayground } from '../../../state/react.tsx';

/** The lane's system prompt, edited where it stands. It is sent first, and only when it is not empty. */
export function SystemBand({ laneId }: { laneId: string }) {
  const { actions } = usePlayground();
  const system = useLane(laneId)?.setup.system ?? '';
  const isSent = system.trim() !== '';
  return (
    <div className="band sys" {...(isSent ? { role: 'article', 'aria-label': 'System message' } : {})}>
      <div className="col">
        <span>System</span>
        <textarea
          aria-label="System prompt"
          dir="auto"
          rows={1}
          value={system}
          placeholder="No system prompt. Write one here."
          onChange={(event) => actions.changeSetup(laneId, { system: event.currentTarget.value })}
        />
        <span />
      </div>
    </div>
  );
}
