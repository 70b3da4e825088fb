/** Tests the prices of models and answers, shown only if the gateway lists prices. */
import { QueryClient } from '@tanstack/react-query';
import { beforeAll, describe, expect, it } from 'vitest';

import { buildLaneTable } from '../conversation/comparison/summary.ts';
import { buildSessionMarkdown, buildSummaryMarkdown } from '../conversation/files/markdown-export.ts';
import { getPriceLookup } from '../conversation/reply/cost.ts';
import { useSummary } from '../features/compare/use-summary.ts';
import { MessageSize } from '../features/composer/message-size.tsx';
import { ResponseTab } from '../features/inspector/response-tab.tsx';
import { LaneFooter } from '../features/lanes/lane-footer.tsx';
import { LaneHeader } from '../features/lanes/lane-header.tsx';
import { ModelRow } from '../features/models/model-row.tsx';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { renderSessionHtml } from '../features/session-files/render-session-html.ts';
import { SessionBar } from '../features/session/session-bar.tsx';
import { preloadAll } from '../lib/lazy-import.ts';
import { createTapeFeed } from '../state/runs/tape-feed.ts';
import type { Bench } from '../testing/bench.ts';
import { createTestGatewayStatus } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getTurnRun,
  configureLane,
} from '../testing/conversation-driver.ts';
import { readHook, renderText } from '../testing/render-with-playground.tsx';
import type { ChatScript } from '../testing/scripted-gateway.ts';

// The price parser is a lazy module; loading it first makes it available from the start.
beforeAll(() => preloadAll(async () => undefined));

const pricedModels = {
  data: [
    { id: 'north/one', pricing: { prompt: '0.000003', completion: '0.000015' } },
    { id: 'north/two', pricing: { prompt: '0', completion: '0' } },
    { id: 'north/three' },
  ],
};

/** Answers with a reported usage of 1,000 prompt tokens and 200 completion tokens. */
const answerWithUsage: ChatScript = (answer) => {
  answer.sendText('Hello.');
  answer.sendFinishReason();
  answer.sendUsage(1000, 200);
  answer.sendDone();
};

/** Creates one answered lane per model, in a tab that has loaded the model list. */
async function createAnsweredLanes(
  models: readonly string[],
  script: ChatScript = answerWithUsage,
  list: unknown = pricedModels,
) {
  const { bench, gateway } = await createConversation(script);
  gateway.models = list;
  const queryClient = new QueryClient();
  await queryClient.query(getModelsQueryOptions(bench));
  for (const [lane, model] of models.entries()) {
    if (lane > 0) bench.actions.addLane();
    configureLane(bench, { model }, lane);
  }
  await sendAndWait(bench, 'Hi');
  const readSummary = () => {
    const result = readHook(bench, useSummary, queryClient);
    if (!result) throw new Error('The summary is missing');
    return result;
  };
  return { bench, gateway, readSummary };
}

const listCosts = ({ header, rows }: ReturnType<typeof buildLaneTable>) =>
  rows.map((cells) => cells[header.indexOf('Cost')]);
const createPriceLookup = (bench: Bench) => getPriceLookup(bench.gateways.priceSources.getState());
/** Renders the metrics of a lane's answer. */
const renderFooter = (bench: Bench, index = 0) => {
  const laneId = bench.getOpenSession().session.laneIds[index] ?? '';
  return renderText(bench, <LaneFooter laneId={laneId} index={index} />);
};
const renderHeaders = (bench: Bench) =>
  bench
    .getOpenSession()
    .session.laneIds.map((laneId, index) => renderText(bench, <LaneHeader laneId={laneId} index={index} />));
const renderSessionBar = (bench: Bench) => renderText(bench, <SessionBar />);
const renderResponse = (bench: Bench, areNamesHidden: boolean) => {
  const run = getTurnRun(bench);
  const feed = createTapeFeed(run, { ...bench, isLive: () => false });
  return renderText(
    bench,
    <ResponseTab run={run} feed={feed} areNamesHidden={areNamesHidden} onShowNames={() => undefined} />,
  );
};

describe('gateway that lists prices', () => {
  it('shows prices in the model picker', async () => {
    const { bench } = await createAnsweredLanes(['north/one']);
    const renderRow = (id: string) => {
      const model = bench.gateways.getListedModel({ model: id });
      if (!model) throw new Error(`${id} is not listed`);
      const option = { id, label: id, choice: { model: id }, model };
      const props = { option, learned: {}, firstTokenMs: undefined, query: '', isFavourite: false };
      return renderText(bench, <ModelRow {...props} onToggleFavourite={() => undefined} />);
    };
    expect(renderRow('north/one')).toContain('$3 / $15 per 1M tokens');
    expect(renderRow('north/two')).toMatch(/\bfree\b/);
    expect(renderRow('north/three')).not.toContain('per 1M tokens');
  });

  it('shows the cost per lane in the summary, in copied text and in both export formats', async () => {
    const { bench, readSummary } = await createAnsweredLanes(['north/one', 'north/two', 'north/three']);
    await sendAndWait(bench, 'Again');
    // 2 × (1,000 × 3 + 200 × 15) ÷ 1,000,000
    expect(listCosts(buildLaneTable(readSummary()))).toEqual(['$0.012', '$0.00', 'no price', '']);
    const line = '2,000 / 400 | $0.012 | stop 2';
    const note = 'Cost at the current list price of the gateway. 2 of 6 answers have no price.';
    const options = { getModelPrice: createPriceLookup(bench) };
    for (const text of [
      buildSummaryMarkdown(readSummary()),
      buildSessionMarkdown(bench.getOpenSession(), options),
    ]) {
      expect(text).toContain(line);
      expect(text).toContain(note);
    }
    const page = renderSessionHtml(bench.getOpenSession(), {}, options);
    expect(page).toContain('>Cost</th>');
    expect(page).toContain('>$0.012</td>');
    expect(page).toContain(note);
  });

  it('shows the cost of an answer in its metrics and in the inspector', async () => {
    const { bench } = await createAnsweredLanes(['north/one']);
    expect(renderFooter(bench)).toMatch(/Cost\s+\$0\.0060/);
    expect(renderResponse(bench, false)).toContain('Cost\n$0.0060');
  });

  it('marks costs that are based on estimated tokens or that omit some answers', async () => {
    const { bench, readSummary } = await createAnsweredLanes(['north/one'], (answer) =>
      answer.sendAnswer('Hello.'),
    );
    expect(listCosts(buildLaneTable(readSummary()))).toEqual([expect.stringMatching(/^~\$0\.000\d+$/)]);
    configureLane(bench, { model: 'north/three' });
    await sendAndWait(bench, 'Again');
    expect(listCosts(buildLaneTable(readSummary()))).toEqual([expect.stringMatching(/^≥ ~\$0\.000\d+$/)]);
    expect(readSummary().notes.at(-1)).toContain('1 of 2 answers has no price');
  });

  it('hides prices while names are hidden, since they reveal the model', async () => {
    const { bench, readSummary } = await createAnsweredLanes(['north/one', 'north/three']);
    bench.view.setState({ namesHidden: true });
    expect(listCosts(buildLaneTable(readSummary()))).toEqual(['hidden', 'hidden', '']);
    expect(buildSummaryMarkdown(readSummary())).not.toContain('$');
    expect(renderFooter(bench)).not.toContain('$');
    expect(renderResponse(bench, true)).toContain('Cost\nhidden');
  });
});

describe('prices of the operator', () => {
  it('shows costs in the metrics, the lane headers and the session bar', async () => {
    const { bench } = await createAnsweredLanes(['north/one', 'north/own', 'north/three']);
    expect(renderSessionBar(bench)).toContain('≥ $0.0060, 2 without a price');
    const prices = ['north/one', 'north/own'].map((model) => ({
      model,
      inputPerMillion: 1,
      outputPerMillion: 2,
      currency: 'EUR',
    }));
    bench.setServerStatus([createTestGatewayStatus({ prices })]);
    await sendAndWait(bench, 'Again');
    // The list comes before the file: 2 × 0.006, then 2 × (1,000 × 1 + 200 × 2) ÷ 1,000,000.
    expect(renderHeaders(bench)).toEqual([
      expect.stringContaining('Cost of this lane: $0.012'),
      expect.stringContaining('Cost of this lane: €0.0028'),
      expect.stringContaining('Cost of this lane: no price'),
    ]);
    expect(renderFooter(bench, 1)).toMatch(/Cost\s+€0\.0014/);
    expect(renderFooter(bench, 2)).toMatch(/Cost\s+no price/);
    expect(renderSessionBar(bench)).toContain('Cost of this session: ≥ $0.012 + €0.0028, 2 without a price');
    bench.view.setState({ namesHidden: true });
    expect([...renderHeaders(bench), renderSessionBar(bench)].join()).not.toMatch(/Cost of this/);
  });

  it('counts answers that were regenerated in the session, but not in the lane', async () => {
    const { bench } = await createAnsweredLanes(['north/one', 'north/one']);
    await bench.actions.regenerateLastTurns();
    expect(renderHeaders(bench)[0]).toContain('Cost of this lane: $0.0060');
    expect(renderSessionBar(bench)).toContain('Cost of this session: $0.024');
  });

  it('estimates the cost of a message before it is sent', async () => {
    const { bench } = await createAnsweredLanes(['north/one']);
    const laneId = bench.getOpenSession().session.laneIds[0] ?? '';
    const renderSize = () =>
      renderText(
        bench,
        <MessageSize
          text={'x'.repeat(400)}
          imageCount={1}
          fileCount={2}
          targets={[laneId]}
          className="size"
        />,
      );
    // (1,000 + 200 + 100) × 3 ÷ 1,000,000
    expect(renderSize()).toContain('~100 tokens + 1 image + 2 files, from ~$0.0039');
    configureLane(bench, { fields: { max_tokens: '1000' } });
    expect(renderSize()).toContain('up to ~$0.019');
    bench.view.setState({ namesHidden: true });
    expect(renderSize()).toBe('~100 tokens + 1 image + 2 files');
  });
});

describe('provider that reports the cost', () => {
  it('prefers the cost reported by a provider over listed prices', async () => {
    const { bench, readSummary } = await createAnsweredLanes(['north/one', 'north/three'], (answer) => {
      for (const text of ['Hel', 'lo.']) answer.sendText(text);
      answer.sendFinishReason();
      answer.sendEvent({
        choices: [],
        usage: {
          prompt_tokens: 1000,
          completion_tokens: 200,
          cost: '0.0016',
          prompt_tokens_details: { cached_tokens: 128 },
          completion_tokens_details: { reasoning_tokens: 192 },
        },
      });
      answer.sendDone();
    });
    expect(listCosts(buildLaneTable(readSummary())).slice(0, 2)).toEqual(['$0.0016', '$0.0016']);
    expect(readSummary().notes).toContain('Cost as reported by the provider.');
    expect(readSummary().notes).toContain(
      'TTFT includes reasoning that was not streamed. Speed excludes it.',
    );
    const footerText = renderFooter(bench);
    for (const text of [
      '$0.0016',
      'reasoning included',
      '192 hidden reasoning tokens not counted',
      '128 cached',
    ])
      expect(footerText).toContain(text);
    expect(buildSessionMarkdown(bench.getOpenSession(), {})).toContain(
      'cost $0.0016 (as reported by the provider)',
    );
  });
});

describe('gateway without prices', () => {
  it('shows neither a cost column nor a note if the gateway lists no prices', async () => {
    const { bench, readSummary } = await createAnsweredLanes(['north/one', 'north/two'], answerWithUsage, {
      data: [{ id: 'north/one' }, { id: 'north/two', pricing: { prompt: 0.5, completion: 1.5 } }],
    });
    expect(buildLaneTable(readSummary()).header).not.toContain('Cost');
    expect(readSummary().notes.join(' ')).not.toContain('Cost');
    expect(renderFooter(bench)).toContain('no price');
  });
});
