//! Symphonia's decoders for AAC and Vorbis behind four plain functions. An instance of the module is one decoder; a
//! panic is a trap that ends the instance and nothing else.
use symphonia_core::audio::{SampleBuffer, SignalSpec};
use symphonia_core::codecs::{CodecParameters, Decoder, DecoderOptions, CODEC_TYPE_AAC, CODEC_TYPE_VORBIS};
use symphonia_core::formats::Packet;

struct State {
    decoder: Box<dyn Decoder>,
    samples: Option<(SignalSpec, u64, SampleBuffer<f32>)>,
    mono: Vec<f32>,
    rate: u32,
}

static mut INPUT: Vec<u8> = Vec::new();
static mut STATE: Option<State> = None;

/// Where the next `length` bytes of input are to be written.
#[no_mangle]
pub unsafe extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.clear();
    INPUT.resize(length, 0);
    INPUT.as_mut_ptr()
}

/// The input is what the container says of the codec. 0: it is not decoded here.
#[no_mangle]
pub unsafe extern "C" fn open(is_vorbis: u32) -> u32 {
    let mut params = CodecParameters::new();
    params
        .for_codec(if is_vorbis != 0 { CODEC_TYPE_VORBIS } else { CODEC_TYPE_AAC })
        .with_extra_data(INPUT.clone().into_boxed_slice());
    let options = DecoderOptions::default();
    let decoder: Option<Box<dyn Decoder>> = if is_vorbis != 0 {
        symphonia_codec_vorbis::VorbisDecoder::try_new(&params, &options).ok().map(|d| Box::new(d) as _)
    } else {
        symphonia_codec_aac::AacDecoder::try_new(&params, &options).ok().map(|d| Box::new(d) as _)
    };
    STATE = decoder.map(|decoder| State { decoder, samples: None, mono: Vec::new(), rate: 0 });
    STATE.is_some() as u32
}

/// Decodes the input as one packet and mixes its channels: how many samples it gave. A damaged packet gives none.
#[no_mangle]
pub unsafe extern "C" fn decode() -> usize {
    let state = match STATE.as_mut() {
        Some(state) => state,
        None => return 0,
    };
    state.mono.clear();
    let packet = Packet::new_from_slice(0, 0, 0, &INPUT);
    let decoded = match state.decoder.decode(&packet) {
        Ok(decoded) => decoded,
        Err(_) => return 0,
    };
    let (spec, capacity) = (*decoded.spec(), decoded.capacity() as u64);
    if !matches!(&state.samples, Some((s, c, _)) if *s == spec && *c >= capacity) {
        state.samples = Some((spec, capacity, SampleBuffer::new(capacity, spec)));
    }
    let buffer = &mut state.samples.as_mut().unwrap().2;
    buffer.copy_interleaved_ref(decoded);
    let channels = spec.channels.count().max(1);
    state.rate = spec.rate;
    state.mono.extend(buffer.samples().chunks_exact(channels).map(|frame| frame.iter().sum::<f32>() / channels as f32));
    state.mono.len()
}

#[no_mangle]
pub unsafe extern "C" fn samples() -> *const f32 {
    STATE.as_ref().map_or(core::ptr::null(), |state| state.mono.as_ptr())
}

#[no_mangle]
pub unsafe extern "C" fn rate() -> u32 {
    STATE.as_ref().map_or(0, |state| state.rate)
}
