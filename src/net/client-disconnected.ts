/** Client disconnected: the connection closed before the request body was complete, so nothing can be answered. */
export class ClientDisconnected extends Error {}
