import { ChartNoAxesColumn, ListTree, MessageCircleQuestion, type LucideIcon } from 'lucide-react';
import { usePlayground, useSession } from '../../../state/react.tsx';

interface Starter {
  icon: LucideIcon;
  lead: string;
  rest: string;
  model: string;
  prompt: string;
}

const starters: Starter[] = [
  {
    icon: MessageCircleQuestion,
    lead: 'Ask how Bench works',
    rest: 'and how to point it at your gateway',
    model: 'demo/guide',
    prompt: 'How do I point Bench at my own gateway?',
  },
  {
    icon: ListTree,
    lead: 'Watch a model think',
    rest: 'step by step, inside a budget',
    model: 'demo/thinker',
    prompt: 'How many days are there between 3 March 2024 and 21 November 2026?',
  },
  {
    icon: ChartNoAxesColumn,
    lead: 'See all of markdown stream in',
    rest: 'tables, code, math and lists',
    model: 'demo/markdown',
    prompt: 'Write a document of about 600 words.',
  },
];

/** The first screen of a session: what Bench is for, and three real things to try. */
export function EmptyConversation() {
  const { actions } = usePlayground();
  const laneId = useSession((data) => data.session.laneIds[0]);
  const start = (starter: Starter) => {
    if (laneId === undefined) return;
    actions.changeSetup(laneId, { model: starter.model });
    void actions.sendPrompt({ messages: [{ role: 'user', content: starter.prompt }] });
  };
  return (
    <div className="empty">
      <h2>Ask one model, or several at once</h2>
      <p>Pick a model above, set what you like at the right, and write below. Or start with one of these:</p>
      <ul>
        {starters.map((starter) => (
          <li key={starter.model}>
            <button type="button" onClick={() => start(starter)}>
              <starter.icon className="i" aria-hidden />
              <span>
                <b>{starter.lead}</b> {starter.rest}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
