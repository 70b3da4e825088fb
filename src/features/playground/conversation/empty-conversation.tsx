import { useCallback, useState } from 'react';

import { useIdleLoad } from '../../../ui/hooks/use-idle-load.ts';

/** The first screen of a session: what Bench is for, and three real things to try, for which there is room from the start. */
export function EmptyConversation() {
  const loaded = useStarters();
  return (
    <div className="empty">
      <h2>Ask one model, or several at once</h2>
      <p>
        Pick a model above, adjust parameters<span className="place"> on the right</span>, and type a message.
        Or try:
      </p>
      <div className="starters">{loaded && <loaded.Starters />}</div>
    </div>
  );
}

const load = () => import('./starters.tsx');
type Loaded = Awaited<ReturnType<typeof load>>;

/** The list of starters once it is here. */
function useStarters(): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>();
  useIdleLoad(useCallback(async () => setLoaded(await load()), []));
  return loaded;
}
