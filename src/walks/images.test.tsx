import { QueryClient } from '@tanstack/react-query';
/** Tests images in messages: which lanes receive them, warnings before sending, and what is stored. */
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { buildContent, toImagePart, toImageUrl } from '../conversation/request/message-images.ts';
import type { DraftImage } from '../conversation/session/draft.ts';
import { withModelMark } from '../conversation/setup/model-marks.ts';
import { ImageRow } from '../features/attachments/image-row.tsx';
import { useAttachmentNotes } from '../features/attachments/use-attachment-notes.ts';
import { Composer } from '../features/composer/composer.tsx';
import { ModelStatus } from '../features/models/model-status.tsx';
import { getModelsKey } from '../features/models/use-models.ts';
import { DifferencesStrip } from '../features/playground/differences-strip.tsx';
import { isRecord, getOwnProperty } from '../lib/json.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  getRequestMessages,
  reloadPage,
  configureLane,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderPrompts, renderReplies } from '../testing/render-turns.tsx';
import { readHook, renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import type { ScriptedGateway } from '../testing/scripted-gateway.ts';

const pictureUrl = 'data:image/png;base64,iVBORwECAwQ=';

/** Stores an image as the composer does when the user attaches it. */
async function storeImage(bench: Bench, bytes = 8): Promise<DraftImage> {
  const blob = new Blob([new Uint8Array([137, 80, 78, 71, 1, 2, 3, 4])], { type: 'image/png' });
  const hash = await bench.images.add(blob);
  return { url: toImageUrl(hash), name: 'red.png', detail: 'auto', bytes };
}

function sendWithImages(bench: Bench, text: string, ...images: DraftImage[]): Promise<void> {
  const content = buildContent(text, images.map(toImagePart));
  return bench.actions.sendPrompt({ messages: [{ role: 'user', content }] });
}

/** Returns the content of the last message in the newest request for this model. */
function getLastContent(gateway: ScriptedGateway, model: string): unknown {
  const post = gateway.posts.findLast(({ body }) => body['model'] === model);
  const messages = post?.body['messages'];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) ? last['content'] : undefined;
}

/** Returns the `detail` values of all images in a request, in order. */
function listDetails(body: Record<string, unknown>): unknown[] {
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages
    .flatMap((message): unknown[] => {
      const content = getOwnProperty(message, 'content');
      return Array.isArray(content) ? content : [];
    })
    .filter((part) => getOwnProperty(part, 'image_url') !== undefined)
    .map((part) => getOwnProperty(getOwnProperty(part, 'image_url'), 'detail'));
}

describe('lane with a text-only model', () => {
  it('sends only the text to a text-only lane and warns in the composer', async () => {
    const { bench, gateway } = await createConversation();
    configureLane(bench, { model: 'north/one' });
    bench.actions.addLane();
    configureLane(bench, { model: 'north/two' }, 1);
    bench.prefs.setState({ modelMarks: withModelMark({}, 'north/two', 'vision', false) });
    const image = await storeImage(bench);
    const { laneIds } = bench.getOpenSession().session;
    const { getNote, warning } = readHook(bench, () => useAttachmentNotes({ images: [image] }, laneIds));
    expect(getNote('image_url')).toBe(
      'Sent to A. B is marked text-only, so the image will not be sent to it.',
    );
    expect(warning).toBeUndefined();

    await sendWithImages(bench, 'What is it?', image);
    const fullContent = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: pictureUrl, detail: 'auto' } },
    ];
    expect(getLastContent(gateway, 'north/one')).toEqual(fullContent);
    expect(getLastContent(gateway, 'north/two')).toBe('What is it?');
    const [replyA, replyB] = renderReplies(bench);
    expect(replyA?.text).not.toContain('Sent without');
    expect(replyB?.text).toContain('Sent without 1 image: the model is marked or listed as text-only.');
    const differences = renderText(bench, <DifferencesStrip />);
    expect(differences).toContain('histories');

    const reloadedBench = await reloadPage(bench);
    reloadedBench.prefs.setState({ modelMarks: {} });
    await sendAndWait(reloadedBench, 'Again');
    expect(getRequestMessages(gateway), 'sends the earlier image once the mark is removed').toContainEqual({
      role: 'user',
      content: fullContent,
    });
  });

  it('warns about a model that the gateway lists as text-only', async () => {
    const bench = await createBench({ path: '/' });
    const image = await storeImage(bench);
    const queryClient = new QueryClient();
    queryClient.setQueryData(getModelsKey(), await bench.serverClient.listModels());
    const { laneIds } = bench.getOpenSession().session;
    const { getNote, rejections, suitableModel } = readHook(
      bench,
      () => useAttachmentNotes({ images: [image] }, laneIds),
      queryClient,
    );
    expect(rejections).toEqual(laneIds.map((laneId) => ({ laneId, types: ['image_url'] })));
    expect(suitableModel, 'offers a model with vision').toEqual({ model: 'demo/vision' });
    expect(getNote('image_url')).toBe('This model accepts text only, so the image will not be sent to it.');
    // The lane header lists the abilities of the model, but not missing ones.
    const header = renderText(bench, <ModelStatus choice={{ model: 'demo/guide' }} />, queryClient);
    expect(header.split('\n')[0]).toBe('text');
  });
});

it('estimates the tokens of a message without its images', async () => {
  const bench = await createBench({ path: '/' });
  const sessionId = bench.getOpenSession().session.id;
  const image = await storeImage(bench);
  const renderComposer = (text: string) => {
    bench.drafts.change(sessionId, (draft) => ({ ...draft, text, images: [image] }));
    return renderText(bench, <Composer sessionId={sessionId} />);
  };
  expect(renderComposer('What is it, please?')).toContain('~5 tokens + 1 image');
  expect(renderComposer('')).not.toContain('tokens');
});

it('sends an image with the chosen detail, or without one', async () => {
  const { bench, gateway } = await createConversation();
  let image = await storeImage(bench);
  const createImageRow = () => (
    <ImageRow
      image={image}
      note={undefined}
      onChange={(changed) => (image = changed)}
      onRemove={() => undefined}
    />
  );
  const chooseDetail = async (current: string, next: string) => {
    const { user, unmount } = renderWithPlayground(createImageRow(), { playground: bench });
    await user.click(screen.getByRole('button', { name: current }));
    await user.click(await screen.findByRole('menuitem', { name: next }));
    unmount();
  };
  await chooseDetail('detail auto', 'detail high');
  await sendWithImages(bench, 'Closely', image);
  expect(renderText(bench, createImageRow())).not.toContain('detail not sent');
  await chooseDetail('detail high', 'Do not send detail');
  expect(renderText(bench, createImageRow())).toContain('detail not sent');
  await sendWithImages(bench, 'As you like', image);
  expect(gateway.posts.map(({ body }) => listDetails(body))).toEqual([['high'], ['high', undefined]]);
});

it('warns before sending more than 20 MB of images, unless no lane receives them', async () => {
  const { bench } = await createConversation();
  const large = await storeImage(bench, 2_500_000);
  const { laneIds } = bench.getOpenSession().session;
  const getWarning = (count: number) =>
    readHook(bench, () => useAttachmentNotes({ images: Array.from({ length: count }, () => large) }, laneIds))
      .warning;
  expect(getWarning(6)).toBeUndefined();
  expect(getWarning(7)).toBe(
    'The request would be about 22.3 MB. The limit is 20 MB. Scale down or remove images.',
  );
  const model = bench.getOpenSession().lanes[laneIds[0] ?? '']?.setup.model ?? '';
  bench.prefs.setState({ modelMarks: withModelMark({}, model, 'vision', false) });
  expect(getWarning(7)).toBeUndefined();
});

it('sends the URL of a linked image unchanged and shows its host, also after a reload', async () => {
  const { bench, gateway } = await createConversation();
  const url = 'https://pictures.example/a.png?size=large';
  await sendWithImages(bench, 'See', { url, name: 'pictures.example' });
  expect(getRequestMessages(gateway)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]);
  for (const tab of [bench, await reloadPage(bench)])
    expect(renderPrompts(tab)[0]?.text).toContain('Image from pictures.example');
});

it('removes images from an edited message and keeps them in the previous version', async () => {
  const { bench, gateway } = await createConversation();
  await sendWithImages(bench, 'One', await storeImage(bench));
  await bench.actions.editPrompt(getLastTurnIds(bench), [{ role: 'user', content: 'None' }], true);
  expect(getRequestMessages(gateway)).toEqual([{ role: 'user', content: 'None' }]);
  bench.actions.stepPrompt(getLastTurnIds(bench), -1);
  expect(getLaneTranscript(bench)).toEqual([['One', 'Answer 1']]);
  await bench.actions.regenerate(getLastTurnIds(bench));
  expect(JSON.stringify(getRequestMessages(gateway))).toContain(pictureUrl);
});
