//! fast_image_resize behind two calls: memory for pixels, and a resize between two such pieces of memory.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use std::cell::RefCell;

thread_local! {
    // Kept, because it owns the memory between the two passes.
    static RESIZER: RefCell<Resizer> = RefCell::new(Resizer::new());
}

/// Memory that is never freed: an instance of the module serves one workload.
#[no_mangle]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::leak(vec![0u8; bytes].into_boxed_slice()).as_mut_ptr()
}

/// Resizes pixels of 1, 3 or 4 bytes by filter 0, 1 or 2: bilinear, bicubic or Lanczos.
///
/// # Safety
/// Both pointers are of `allocate`, which gave them as many bytes as the pictures have.
#[no_mangle]
pub unsafe extern "C" fn resize(
    source: *const u8,
    width: u32,
    height: u32,
    target: *mut u8,
    target_width: u32,
    target_height: u32,
    channels: usize,
    filter: u32,
    use_alpha: bool,
) {
    let pixel = match channels {
        1 => PixelType::U8,
        3 => PixelType::U8x3,
        _ => PixelType::U8x4,
    };
    let filter = match filter {
        0 => FilterType::Bilinear,
        1 => FilterType::CatmullRom,
        _ => FilterType::Lanczos3,
    };
    let bytes = |width: u32, height: u32| width as usize * height as usize * channels;
    let from = std::slice::from_raw_parts(source, bytes(width, height));
    let to = std::slice::from_raw_parts_mut(target, bytes(target_width, target_height));
    let from = ImageRef::new(width, height, from, pixel).unwrap();
    let mut to = Image::from_slice_u8(target_width, target_height, to, pixel).unwrap();
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter)).use_alpha(use_alpha);
    RESIZER.with(|resizer| resizer.borrow_mut().resize(&from, &mut to, &options).unwrap());
}
