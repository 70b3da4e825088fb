/** Replaces references and URLs of images, documents and sounds in messages. */
import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { getMediaSource, parseImageHash, type MediaPart } from './message-images.ts';

/**
 * Replaces references in the body with the data: data URLs (§2.3), and for sounds base64. References without a data URL
 * stay unchanged.
 */
export function withMediaData(body: ChatRequest, dataUrls: ReadonlyMap<string, string>): ChatRequest {
  const messages = mapMedia(body.messages, (part) => {
    const dataUrl = dataUrls.get(parseImageHash(getMediaSource(part)) ?? '');
    if (dataUrl === undefined) return part;
    if (part.type === 'image_url') return { ...part, image_url: { ...part.image_url, url: dataUrl } };
    if (part.type === 'file') return { ...part, file: { ...part.file, file_data: dataUrl } };
    const data = dataUrl.slice(dataUrl.indexOf(',') + 1);
    return { ...part, input_audio: { ...part.input_audio, data } };
  });
  return { ...body, messages };
}

/** Replaces image URLs in the messages; `urls` maps current URLs to new ones. */
export function withImageUrls(messages: readonly Message[], urls: ReadonlyMap<string, string>): Message[] {
  return mapMedia(messages, (part) => {
    const url = part.type === 'image_url' ? urls.get(part.image_url.url) : undefined;
    return part.type === 'image_url' && url !== undefined
      ? { ...part, image_url: { ...part.image_url, url } }
      : part;
  });
}

function mapMedia(messages: readonly Message[], change: (part: MediaPart) => MediaPart): Message[] {
  return messages.map((message): Message => {
    if (message.role === 'tool' || !Array.isArray(message.content)) return message;
    return {
      ...message,
      content: message.content.map((part) => (part.type === 'text' ? part : change(part))),
    };
  });
}
