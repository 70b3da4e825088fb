import { buildContent, toImagePart } from '../../../conversation/request/message-images.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { useLearnedRecords, usePlayground, useSession } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import {
  Braces,
  Brain,
  Columns2,
  Image as ImageIcon,
  MessageCircle,
  SlidersHorizontal,
  Wrench,
  type IconComponent,
} from '../../../ui/icons.tsx';
import { useModels } from '../../models/use-models.ts';
import { messageField } from '../playground-focus-targets.ts';
import { startersFor, type Starter } from './session-starters.ts';

const icons: Record<Starter['icon'], IconComponent> = {
  compare: SlidersHorizontal,
  tools: Wrench,
  think: Brain,
  models: Columns2,
  once: MessageCircle,
  image: ImageIcon,
  json: Braces,
};

const starterLook = classes(
  'flex w-full items-center gap-3 px-2 py-2.75 text-left text-14 text-ink-2 normal-nums',
  'hover:bg-hover hover:text-ink',
);

/** The things to try. One click sets the lanes up and sends. */
export function Starters() {
  const { actions, learnedModels, session } = usePlayground();
  useLearnedRecords();
  const { data } = useModels();
  const chosen = useSession((now) => now.lanes[now.session.laneIds[0] ?? '']?.setup.model) ?? '';

  const start = ({ lanes, prompt, imageUrl }: Starter) => {
    const laneIds = () => getCurrentSession(session.getState())?.session.laneIds ?? [];
    while (laneIds().length < lanes.length) actions.addLane();
    const used = laneIds().slice(0, lanes.length);
    actions.changeSetups(used, (setup, laneId) => ({ ...setup, ...lanes[used.indexOf(laneId)] }));
    // The list goes away with what is sent: what is typed next is the next message. A finger would bring up the keyboard.
    if (matchMedia('(hover: hover)').matches) messageField.focus();
    const content = buildContent(prompt, imageUrl === undefined ? [] : [toImagePart({ url: imageUrl })]);
    void actions.sendPrompt({ messages: [{ role: 'user', content }] }, used);
  };

  return (
    <ul className="mt-5">
      {startersFor(data?.models ?? [], chosen, learnedModels.getRefusedFields).map((starter) => {
        const Icon = icons[starter.icon];
        return (
          <li key={starter.lead} className="border-b border-line first:border-t">
            <button type="button" className={starterLook} onClick={() => start(starter)}>
              <Icon className="icon-16 text-ink-3" aria-hidden />
              <span>
                <b className="font-600 text-ink">{starter.lead}</b> {starter.rest}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
