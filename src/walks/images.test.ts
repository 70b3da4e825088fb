/** Images in messages: which lanes get them, what is said before they are sent, and what stays of them. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { buildContent, toImagePart, toImageUrl } from '../conversation/request/message-images.ts';
import type { DraftImage } from '../conversation/session/draft.ts';
import { withModelMark } from '../conversation/setup/model-marks.ts';
import { ModelStatus } from '../features/models/model-status.tsx';
import { modelsKey } from '../features/models/use-models.ts';
import { ImageRow } from '../features/playground/attachments/image-row.tsx';
import { useImageNote } from '../features/playground/attachments/use-image-note.ts';
import { Composer } from '../features/playground/composer/composer.tsx';
import { DifferencesStrip } from '../features/playground/differences-strip.tsx';
import { isRecord, getOwnProperty } from '../lib/json.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import {
  ask,
  aTalk,
  lastTurnIds,
  messagesOf,
  reloaded,
  setUp,
  talkIn,
} from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { drawnPrompts, drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import type { ScriptedGateway } from '../testing/scripted-gateway.ts';

const pictureUrl = 'data:image/png;base64,iVBORwECAwQ=';

/** An image that was chosen in a composer. */
async function chosen(bench: Bench, bytes = 8): Promise<DraftImage> {
  const picture = new Blob([new Uint8Array([137, 80, 78, 71, 1, 2, 3, 4])], { type: 'image/png' });
  const hash = await bench.images.add(picture);
  return { url: toImageUrl(hash), name: 'red.png', detail: 'auto', bytes };
}

function askWith(bench: Bench, text: string, ...images: DraftImage[]): Promise<void> {
  const content = buildContent(text, images.map(toImagePart));
  return bench.actions.sendPrompt({ messages: [{ role: 'user', content }] });
}

/** Content of the last message of the newest request for this model. */
function contentFor(gateway: ScriptedGateway, model: string): unknown {
  const post = gateway.posts.findLast(({ body }) => body['model'] === model);
  const messages = post?.body['messages'];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) ? last['content'] : undefined;
}

/** The details of all images of a request, in order. */
function detailsIn(body: Record<string, unknown>): unknown[] {
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages
    .flatMap((message): unknown[] => {
      const content = getOwnProperty(message, 'content');
      return Array.isArray(content) ? content : [];
    })
    .filter((part) => getOwnProperty(part, 'image_url') !== undefined)
    .map((part) => getOwnProperty(getOwnProperty(part, 'image_url'), 'detail'));
}

describe('a lane that is marked text-only', () => {
  it('gets the words without the image, and the composer says so before', async () => {
    const { bench, gateway } = await aTalk();
    setUp(bench, { model: 'north/one' });
    bench.actions.addLane();
    setUp(bench, { model: 'north/two' }, 1);
    bench.prefs.setState({ modelMarks: withModelMark({}, 'north/two', 'vision', false) });
    const image = await chosen(bench);
    const { laneIds } = bench.current().session;
    const { note, warning } = readHook(bench, () => useImageNote([image], laneIds));
    expect(note).toBe('Sent to A. B is marked text-only, so the image will not be sent to it.');
    expect(warning).toBeUndefined();

    await askWith(bench, 'What is it?', image);
    const whole = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: pictureUrl, detail: 'auto' } },
    ];
    expect(contentFor(gateway, 'north/one')).toEqual(whole);
    expect(contentFor(gateway, 'north/two')).toBe('What is it?');
    const [inA, inB] = drawnReplies(bench);
    expect(inA?.words).not.toContain('Sent without');
    expect(inB?.words).toContain('Sent without 1 image: the model is marked or listed as text-only.');
    const differences = wordsIn(markupOf(bench, createElement(DifferencesStrip)));
    expect(differences).toContain('histories');

    const again = await reloaded(bench);
    again.prefs.setState({ modelMarks: {} });
    await ask(again, 'Again');
    expect(messagesOf(gateway), 'the mark is gone, so the image said before is sent').toContainEqual({
      role: 'user',
      content: whole,
    });
  });

  it('by the list of the gateway is said to be so', async () => {
    const bench = await aBench({ path: '/' });
    const image = await chosen(bench);
    const queries = new QueryClient();
    queries.setQueryData(modelsKey, await bench.gateway.listModels());
    const { laneIds } = bench.current().session;
    const { note, lanesWithoutVision, visionModel } = readHook(
      bench,
      () => useImageNote([image], laneIds),
      queries,
    );
    expect([lanesWithoutVision, visionModel], 'one that sees is offered').toEqual([laneIds, 'demo/vision']);
    expect(note).toBe('This model accepts text only, so the image will not be sent to it.');
    // Its header says what it can do, and not what it cannot.
    const header = wordsIn(markupOf(bench, createElement(ModelStatus, { model: 'demo/guide' }), queries));
    expect(header.split('\n')[0]).toBe('text');
  });
});

it('a message says what it weighs, its images apart: what they cost in tokens the model alone knows', async () => {
  const bench = await aBench({ path: '/' });
  const sessionId = bench.current().session.id;
  const image = await chosen(bench);
  const weightOf = (text: string) => {
    bench.drafts.change(sessionId, (draft) => ({ ...draft, text, images: [image] }));
    return wordsIn(markupOf(bench, createElement(Composer, { sessionId })));
  };
  expect(weightOf('What is it, please?')).toContain('~5 tokens + 1 image');
  expect(weightOf('')).not.toContain('tokens');
});

it('the detail of an image is chosen, or not sent at all', async () => {
  const { bench, gateway } = await aTalk();
  let image = await chosen(bench);
  const row = () =>
    createElement(ImageRow, {
      image,
      note: undefined,
      onChange: (changed) => (image = changed),
      onRemove: () => undefined,
    });
  press(bench, row(), 'detail high');
  await askWith(bench, 'Closely', image);
  expect(wordsIn(markupOf(bench, row()))).not.toContain('detail not sent');
  press(bench, row(), 'Do not send detail');
  expect(wordsIn(markupOf(bench, row()))).toContain('detail not sent');
  await askWith(bench, 'As you like', image);
  expect(gateway.posts.map(({ body }) => detailsIn(body))).toEqual([['high'], ['high', undefined]]);
});

it('more than 20 MB is said before sending, unless no lane gets the images', async () => {
  const { bench } = await aTalk();
  const large = await chosen(bench, 2_500_000);
  const { laneIds } = bench.current().session;
  const warningFor = (count: number) =>
    readHook(bench, () =>
      useImageNote(
        Array.from({ length: count }, () => large),
        laneIds,
      ),
    ).warning;
  expect(warningFor(6)).toBeUndefined();
  expect(warningFor(7)).toBe(
    'The request would be about 22.3 MB; the limit is 20 MB. Scale images down, or remove some.',
  );
  const model = bench.current().lanes[laneIds[0] ?? '']?.setup.model ?? '';
  bench.prefs.setState({ modelMarks: withModelMark({}, model, 'vision', false) });
  expect(warningFor(7)).toBeUndefined();
});

it('an image by its address is sent as it is and named by its host, also after a reload', async () => {
  const { bench, gateway } = await aTalk();
  const url = 'https://pictures.example/a.png?size=large';
  await askWith(bench, 'See', { url, name: 'pictures.example' });
  expect(messagesOf(gateway)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]);
  for (const tab of [bench, await reloaded(bench)])
    expect(drawnPrompts(tab)[0]?.words).toContain('Image from pictures.example');
});

it('an edited message can lose its images; the version before keeps its own', async () => {
  const { bench, gateway } = await aTalk();
  await askWith(bench, 'One', await chosen(bench));
  await bench.actions.editPrompt(lastTurnIds(bench), [{ role: 'user', content: 'None' }], true);
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'None' }]);
  bench.actions.stepPrompt(lastTurnIds(bench), -1);
  expect(talkIn(bench)).toEqual([['One', 'Answer 1']]);
  await bench.actions.regenerate(lastTurnIds(bench));
  expect(JSON.stringify(messagesOf(gateway))).toContain(pictureUrl);
});
