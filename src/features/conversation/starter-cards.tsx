import { buildContent, toImagePart } from '../../conversation/request/message-images.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import { useLearnedRecords, useSession, useSessionServices, useAppServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import {
  Braces,
  Brain,
  Image as ImageIcon,
  SlidersHorizontal,
  Wrench,
  type IconComponent,
} from '../../ui/icons.tsx';
import { Columns2, MessageCircle } from '../../ui/late-icons.tsx';
import { useFocusedGateway } from '../health/use-focused-gateway.ts';
import { useModels } from '../models/use-models.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';
import { listStarters, type SessionStarter } from './session-starters.ts';

const icons: Record<SessionStarter['icon'], IconComponent> = {
  compare: SlidersHorizontal,
  tools: Wrench,
  think: Brain,
  models: Columns2,
  once: MessageCircle,
  image: ImageIcon,
  json: Braces,
};

/** Starters as cards. A click sets up the lanes and sends the message. */
export function StarterCards() {
  const { actions, session } = useSessionServices();
  const { learnedModels } = useAppServices();
  useLearnedRecords();
  const gateway = useFocusedGateway();
  const { data } = useModels(gateway);
  const chosenModel =
    useSession((current) => current.lanes[current.session.laneIds[0] ?? '']?.setup.model) ?? '';

  const chosen = gateway === undefined ? {} : { gateway };

  const start = ({ lanes, prompt, imageUrl }: SessionStarter) => {
    const getLaneIds = () => getCurrentSession(session.getState())?.session.laneIds ?? [];
    while (getLaneIds().length < lanes.length) actions.addLane();
    const targetLaneIds = getLaneIds().slice(0, lanes.length);
    actions.changeSetups(targetLaneIds, (setup, laneId) => {
      const starterSetup = { ...setup, ...lanes[targetLaneIds.indexOf(laneId)] };
      return withModelChoice(starterSetup, { ...chosen, model: starterSetup.model });
    });
    // Sending removes the cards, so the message field gets the focus. Not on touch screens, where the focus would open
    // the keyboard.
    if (matchMedia('(hover: hover)').matches) messageField.focus();
    const content = buildContent(prompt, imageUrl === undefined ? [] : [toImagePart({ url: imageUrl })]);
    void actions.sendPrompt({ messages: [{ role: 'user', content }] }, targetLaneIds);
  };

  return (
    <ul className="mt-5">
      {listStarters(data?.models ?? [], chosenModel, ({ model }) =>
        learnedModels.getRefusedFields({ ...chosen, model }),
      ).map((starter) => {
        const Icon = icons[starter.icon];
        return (
          <li key={starter.title} className="border-b border-line first:border-t">
            <button
              type="button"
              className="-mx-2 flex w-[calc(100%+16px)] items-center gap-3 px-2 py-2.75 text-left text-14 text-ink-2 normal-nums hover:bg-hover hover:text-ink"
              onClick={() => start(starter)}
            >
              <Icon className="icon-16 text-ink-3" aria-hidden />
              <span>
                <b className="font-600 text-ink">{starter.title}</b> {starter.description}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
