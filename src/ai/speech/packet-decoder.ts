/** The interface of every codec: packets in, samples of one channel out. */
export interface PacketDecoder {
  decode(packets: Uint8Array[]): Promise<Samples>
  free(): void
}

export interface Samples {
  mono: Float32Array
  rate: number
}
