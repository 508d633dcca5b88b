// The microphone of a conversation: its level frame by frame, and the stream that is recorded.
import { release } from '../recorder/devices';
import worklet from './level.worklet.js';

/** The seconds by which what is recorded is late, so that the beginning of a word is recorded that was first taken for noise. */
export const lag = .5;

export class Microphone {
  private constructor(readonly stream: MediaStream, readonly recorded: MediaStream, private context: AudioContext) {}

  /** Listens to a stream of a microphone, and perhaps a camera. onLevel is called every 20 ms, onGone when the device is lost. */
  static async listen(stream: MediaStream, onLevel: (decibels: number) => void, onGone: () => void): Promise<Microphone> {
    const context = new AudioContext();
    try {
      await context.audioWorklet.addModule(new URL(worklet, import.meta.url));
      void context.resume();
      const source = context.createMediaStreamSource(new MediaStream(stream.getAudioTracks()));
      const node = new AudioWorkletNode(context, 'level', { numberOfOutputs: 0 });
      node.port.onmessage = (e: MessageEvent<number>) => onLevel(e.data);
      source.connect(node);
      for (const track of stream.getTracks()) track.onended = onGone;
      return new Microphone(stream, stream.getVideoTracks().length > 0 ? stream : delayed(context, source), context);
    } catch (e) {
      void context.close();
      throw e;
    }
  }

  close(): void {
    release(this.recorded);
    release(this.stream);
    void this.context.close();
  }
}

function delayed(context: AudioContext, source: AudioNode): MediaStream {
  const delay = context.createDelay(1);
  delay.delayTime.value = lag;
  const to = context.createMediaStreamDestination();
  source.connect(delay).connect(to);
  return to.stream;
}
