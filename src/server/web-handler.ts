/** A server as a function: what the demo gateway, the HTTP upstream and the proxy have in common. */
export type WebHandler = (request: Request) => Promise<Response>;

/** What the socket tells about a request. */
export interface RequestContext {
  remoteAddress: string;
  /** Called when the request goes to the gateway. */
  onSent?: () => void;
}

/** Like WebHandler; undefined when the path is not this handler's, so that the next handler can respond. */
export type RouteHandler = (request: Request, context: RequestContext) => Promise<Response | undefined>;
