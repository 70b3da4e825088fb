import { useSession, useView, useSessionServices } from '../../state/contexts.tsx';
import { TextButton } from '../../ui/controls/button.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { useFocusedGateway } from '../health/use-focused-gateway.ts';
import { useGatewayState } from '../health/use-gateway-setup.ts';
import { useGatewayStatus } from '../health/use-status.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';

const GatewaySetupCard = lazyComponent(
  'The gateway setup',
  async () => (await import('../health/gateway-setup-card.tsx')).GatewaySetupCard,
);

/** Loaded while the model list loads, since starters need the list anyway. */
const Starters = lazyComponent(
  'The examples',
  async () => (await import('./starter-cards.tsx')).StarterCards,
  {
    loadTiming: 'first',
  },
);

/** First screen of a session: an introduction and starters, or the reason why the gateway is unusable. */
export function EmptyConversation() {
  const gatewayName = useFocusedGateway();
  const gateway = useGatewayState(gatewayName);
  const isDemo = useGatewayStatus(gatewayName)?.demo === true;
  const hasModels = useSession(({ session, lanes }) => session.laneIds.every((id) => lanes[id]?.setup.model));
  // A gateway may serve models that it does not list, so a chosen model is enough.
  const isUsable = gateway === 'usable' || (gateway === 'models' && hasModels === true);
  if (!isUsable) {
    return (
      <div
        ref={moveFocusOnRemoval}
        className="flex w-[var(--viewport-width,100%)] flex-auto translate-x-[var(--viewport-left,0px)] flex-col justify-center px-4 py-6 max-phone:px-3"
        {...getNextFocusAttributes(messageField)}
      >
        <GatewaySetupCard gatewayName={gatewayName} />
      </div>
    );
  }
  return (
    <div className="w-[var(--viewport-width,100%)] translate-x-[var(--viewport-left,0px)]">
      {/* Aligned with the messages, also across several lanes. */}
      <div className="w-full max-w-228 pt-14 pr-17 pb-6 pl-22 in-data-[layout=one-lane]:mx-auto max-phone:px-4">
        <h2 className="text-22">Ask one model, or several at once</h2>
        <p className="mt-1.5 text-14 text-ink-2">
          Choose a model above, set parameters<span className="max-phone:hidden"> on the right</span> and
          write a message.
          {gateway === 'usable' && ' Or try:'}
        </p>
        {isDemo && (
          <p className="mt-1.5 text-13 text-ink-3">
            Demo gateway: small built-in programs answer. They are not language models.
          </p>
        )}
        {gateway === 'usable' && (
          <div className="flow-root min-h-39">
            <Starters />
          </div>
        )}
        <InheritedLanesNote />
      </div>
    </div>
  );
}

/** Note that a new session reuses the previous lanes, with a button to start without them. */
function InheritedLanesNote() {
  const { actions } = useSessionServices();
  const hasInheritedLanes = useView((view) => view.hasInheritedLanes);
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  if (!hasInheritedLanes) return null;
  return (
    <p className="mt-1.5 text-14 text-ink-2">
      {laneCount > 1 ? 'Using your last lanes.' : 'Using your last setup.'}{' '}
      <TextButton onClick={() => actions.resetLanes()}>Start fresh</TextButton>
    </p>
  );
}
